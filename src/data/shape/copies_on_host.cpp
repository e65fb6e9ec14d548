// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/parting/opened_on_host.hpp"

#include <skelrt/detail/recipe.hpp>

#include <algorithm>
#include <array>
#include <cstring>

/// Elements of one container that go to others' places in another, on the host.
namespace skelrt::detail
{

namespace
{

/// Of a tensor, the last one for runs of elements that follow each other.
std::array<std::size_t, 3> axes_within_rows(const storage& s)
{
    if (s.inner == std::array<std::size_t, 3>{}) return {1, 1, s.shape_cols};
    if (s.inner[2] == 0) return {1, s.inner[0], s.inner[1]};
    return s.inner;
}

} // namespace

void copy_common(storage& to, storage& from)
{
    const opened_on_host read(from, access::read, all_ranks);
    if (to.count() == 0 || from.shape_rows * from.shape_cols == 0) return;
    const opened_on_host written(to, access::read_write);
    // Of matrices a rank may hold parts of rows; of tensors whole ones.
    const std::size_t size = to.element_size, first_row = to.first / to.shape_cols, col = to.first % to.shape_cols;
    auto [a, b, c] = axes_within_rows(to);
    const auto [from_a, from_b, from_c] = axes_within_rows(from);
    if (to.cols < to.shape_cols) c = to.cols;
    if (first_row >= from.shape_rows || col >= from_c) return;
    const std::size_t rows = std::min(to.rows, from.shape_rows - first_row), run = std::min(c, from_c - col);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t i = 0; i < std::min(a, from_a); ++i)
            for (std::size_t j = 0; j < std::min(b, from_b); ++j) {
                const std::size_t at = ((r * a + i) * b + j) * c;
                const std::size_t old = (((first_row + r) * from_a + i) * from_b + j) * from_c + col;
                std::memcpy(written.data() + at * size, read.data() + old * size, run * size);
            }
}

void copy_run(storage& to, std::size_t at, storage& from, std::size_t first, std::size_t stride, std::size_t count)
{
    const opened_on_host read(from, access::read, all_ranks), written(to, access::read_write);
    const std::size_t size = to.element_size;
    std::byte* out = written.data() + at * size;
    const std::byte* in = read.data() + first * size;
    if (stride == 1) std::memcpy(out, in, count * size);
    else
        for (std::size_t i = 0; i < count; ++i) std::memcpy(out + i * size, in + way(i * stride, size), size);
}

} // namespace skelrt::detail
