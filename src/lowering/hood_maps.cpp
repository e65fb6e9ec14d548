// SPDX-License-Identifier: BSD-3-Clause
#include <skelrt/detail/call.hpp>

#include <algorithm>

/// When maps under the hoods of a stencil may become part of its kernel.
namespace skelrt::detail
{

namespace
{

/// Local memory that every device of OpenCL's full profile has; CUDA's have more.
constexpr std::size_t sure_bytes = std::size_t{32} << 10;

/// Positions of a tile with what lies around them, where every thread of a block has one: the smallest that the kernels
/// use.
std::size_t smallest_room(const stencil_shape& s)
{
    const auto extent = [&](int axis, std::size_t n) { return n + s.before[axis] + s.after[axis]; };
    if (s.rank == 3) return extent(0, 1) * extent(1, 8) * extent(2, 32);
    return std::max(extent(1, 4) * extent(2, 64), extent(2, 256)); // of matrices, and of vectors
}

} // namespace

bool is_whole_container(const storage* data, const extent& x, std::size_t ld) noexcept
{
    return data && data->shape_rows == x.rows && data->shape_cols == x.cols && ld == x.cols &&
           data->whole_rows == (x.rank >= 2);
}

bool hoods_fit(const recipe& what) noexcept
{
    const std::size_t room = smallest_room(what.stencil);
    std::size_t bytes = 0;
    for (const slot_type& s : what.slots)
        if (sees_hood(s.kind)) bytes += (room * s.size + 15) / 16 * 16;
    return bytes <= sure_bytes;
}

} // namespace skelrt::detail
