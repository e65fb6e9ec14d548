// SPDX-License-Identifier: BSD-3-Clause
#include <skelrt/algorithms/axes.hpp>
#include <skelrt/algorithms/batched_product.hpp>
#include <skelrt/algorithms/permute.hpp>
#include <skelrt/error.hpp>

#include <algorithm>

#include <fmt/format.h>

/// What algorithms say of operands that cannot be.
namespace skelrt::detail
{

void throw_other_sizes(const char* call, const char* first, std::size_t count, const char* second, std::size_t other)
{
    throw error(fmt::format("{}: {} {}, but {} {}; pass vectors of one size, or a range of the larger one", call, count,
                            first, other, second));
}

void throw_no_offsets()
{
    throw error("sk::reduce_segments: there are no offsets; n segments have n + 1, the first 0 and the last the number "
                "of values");
}

void throw_rotation(std::size_t first, std::size_t n)
{
    throw error(fmt::format("sk::rotate: element {} cannot come first, for the vector has {}; take it modulo the size",
                            first, n));
}

void throw_top_k(const char* call, std::size_t k, std::size_t n)
{
    throw error(fmt::format("{}: the first {} of {} elements; ask for at most as many as there are", call, k, n));
}

void check_axis(int axis, int rank)
{
    if (axis >= 0 && axis < rank) return;
    throw error(
        fmt::format("sk::reduce_axis: a tensor of rank {} has no axis {}; its axes are 0 to {}", rank, axis, rank - 1));
}

void check_axes(const int* axes, int rank)
{
    for (int axis = 0; axis < rank; ++axis)
        if (std::count(axes, axes + rank, axis) != 1)
            throw error(fmt::format("sk::permute: the axes of a tensor of rank {} in any order are 0 to {}, each once; "
                                    "these are {}",
                                    rank, rank - 1, fmt::join(axes, axes + rank, ", ")));
}

void check_planes(const plane_shape& left, const plane_shape& right)
{
    if (left.planes == right.planes && left.cols == right.rows) return;
    throw error(
        fmt::format("sk::batched_product: {} planes of {} x {} times {} planes of {} x {}; there are as many of "
                    "both, and the left ones have as many columns as the right ones rows; sk::transpose reads "
                    "planes the other way round",
                    left.planes, left.rows, left.cols, right.planes, right.rows, right.cols));
}

} // namespace skelrt::detail
