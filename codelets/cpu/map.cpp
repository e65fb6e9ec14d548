// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cpu/skeletons.hpp"

#include "codelets/blas/openblas.hpp"
#include "codelets/blas/plane_product.hpp"
#include "codelets/cpu/pieces.hpp"
#include "codelets/cpu/streaming.hpp"
#include "codelets/cpu/transposed.hpp"

namespace skelrt::detail::cpu
{

namespace
{

void run_map(const work& w, const cpu_block& b) { run_streaming(w, b, w.what.cpu.map); }

/// The rows of planes that begin among so many elements.
void multiply_planes(const work& w, std::size_t first, std::size_t last)
{
    const std::size_t cols = blas::plane_sizes_of(w).cols;
    blas::cores::multiply_planes(w, (first + cols - 1) / cols, (last + cols - 1) / cols);
}

} // namespace

void map(const work& w, std::size_t first, std::size_t last)
{
    if (blas::cores::multiplies_planes(w)) return multiply_planes(w, first, last);
    for_each_piece(w, first, last, [&](const cpu_block& b) {
        if (reads_transposed(w.what, b)) run_in_tiles(w, b, run_map);
        else run_map(w, b);
    });
}

} // namespace skelrt::detail::cpu
