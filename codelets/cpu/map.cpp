// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cpu/skeletons.hpp"

#include "codelets/cpu/pieces.hpp"
#include "codelets/cpu/streaming.hpp"
#include "codelets/cpu/transposed.hpp"

namespace skelrt::detail::cpu
{

namespace
{

void run_map(const work& w, const cpu_block& b) { run_streaming(w, b, w.what.cpu.map); }

} // namespace

void map(const work& w, std::size_t first, std::size_t last)
{
    for_each_piece(w, first, last, [&](const cpu_block& b) {
        if (reads_transposed(w.what, b)) run_in_tiles(w, b, run_map);
        else run_map(w, b);
    });
}

} // namespace skelrt::detail::cpu
