// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../reduce.hpp"
#include "../reshape.hpp"
#include "../tensor.hpp"
#include "detail/flat.hpp"
#include "detail/own_function.hpp"

/// Reductions along one axis of a tensor.
namespace skelrt
{

namespace detail
{

/// A tensor as the matrix whose columns lie along an axis in its middle: element (j, i * after + k) is the one with j
/// along the axis, i in front of it and k behind it. `each`: axes in front of it that are no rows of flat().
template <class T>
struct along_axis {
    static constexpr const char* name = "sk::reduce_axis";
    static constexpr const char* text =
        "(skelrt::index2 at, skelrt::mat<$0> t, unsigned long n, unsigned long after, unsigned long each) { const "
        "unsigned long before = (unsigned long)at.col / after, behind = (unsigned long)at.col % after; return t(before "
        "/ each, (before % each * n + (unsigned long)at.row) * after + behind); }";
    T operator()(index2 at, mat<T> t, std::size_t n, std::size_t after, std::size_t each) const
    {
        const std::size_t before = at.col / after, behind = at.col % after;
        return t(before / each, (before % each * n + at.row) * after + behind);
    }
};

/// Throws unless the tensor has that axis.
SKELRT_API void check_axis(int axis, int rank);

/// The reduced elements in their order, as a vector.
template <class Reduction, class T, int Rank>
auto reduced_along(const Reduction& combine, const tensor<T, Rank>& t, std::size_t axis)
{
    const auto extents = t.extents();
    const std::size_t n = extents[axis];
    if (axis == 0) return eval(combine.by_column(t.flat()));
    const std::size_t before = product_of(extents, 0, axis), after = product_of(extents, axis + 1, extents.size());
    if (after == 1) return eval(combine.by_row(view2<T>(t.storage(), 0, before, n, n)));
    const std::size_t each = extents[0] == 0 ? 1 : before / extents[0];
    return eval(
        combine.by_column(map(own_function<along_axis<T>, T>())(shape(n, before * after), t.flat(), n, after, each)));
}

} // namespace detail

/// Combines the elements along one axis, which is gone then: of a tensor of rank 3 a matrix, of rank 4 a tensor.
///
///     sk::matrix<float> sums = sk::reduce_axis(t, 1, sk::plus, 0.0f); // sums(i, k) is the sum of all t(i, j, k)
///
/// The start value comes in front, as in sk::reduce; an axis of no elements gives it everywhere. Asynchronous. O(size).
/// The first axis goes as fast as reductions by column, the last as those by row; an axis between them is read by every
/// device that takes part as a whole. Errors (sk::error): an axis that the tensor does not have.
template <class T, int Rank, class Op, class Start>
auto reduce_axis(const tensor<T, Rank>& t, int axis, const function<Op>& op, const Start& start)
{
    detail::check_axis(axis, Rank);
    const reduce combine(op, start);
    auto all = detail::reduced_along(combine, t, static_cast<std::size_t>(axis));
    const auto from = t.extents();
    std::array<std::size_t, static_cast<std::size_t>(Rank) - 1> left{};
    for (std::size_t k = 0; k < left.size(); ++k) left[k] = from[k + (k >= static_cast<std::size_t>(axis) ? 1 : 0)];
    if constexpr (Rank == 3) return reshape(std::move(all), left[0], left[1]);
    else return reshape(std::move(all), left[0], left[1], left[2]);
}

} // namespace skelrt
