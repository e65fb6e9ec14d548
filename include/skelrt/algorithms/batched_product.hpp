// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../generate.hpp"
#include "../pairs.hpp"
#include "../tensor.hpp"
#include "detail/own_function.hpp"

#include <utility>

/// Products of many pairs of equal matrices: the planes of tensors.
namespace skelrt
{

namespace detail
{

/// A tensor each of whose planes is read the other way round.
template <class T>
struct transposed_planes {
    using value_type = T;
    tensor<T, 3> held;
};

/// The planes of a side: `rows` x `cols` elements, so many elements apart.
struct plane_shape {
    std::size_t planes, rows, cols, row_step, col_step;
};

template <class T>
plane_shape planes_of(const tensor<T, 3>& t)
{
    return {t.extent(0), t.extent(1), t.extent(2), t.extent(2), 1};
}
template <class T>
plane_shape planes_of(const transposed_planes<T>& t)
{
    return {t.held.extent(0), t.held.extent(2), t.held.extent(1), 1, t.held.extent(2)};
}

template <class T>
const tensor<T, 3>& tensor_of(const tensor<T, 3>& t)
{
    return t;
}
template <class T>
const tensor<T, 3>& tensor_of(const transposed_planes<T>& t)
{
    return t.held;
}

/// One element of the product of two planes, which are rows of flat tensors. Where a BLAS is, it does calls of nothing
/// else, which codelets/blas/plane_product.cpp knows by this name.
template <class T, class Sum>
struct element_of_plane {
    static constexpr const char* name = "sk::batched_product";
    static constexpr const char* text =
        R"((skelrt::index2 at, skelrt::vec<$0> a, skelrt::vec<$0> b, unsigned long cols, unsigned long depth,
    unsigned long left_row, unsigned long left_step, unsigned long right_step, unsigned long right_col) {
    const unsigned long from = at.col / cols * left_row, to = at.col % cols * right_col;
    $1 sum = a[from] * b[to];
    for (unsigned long k = 1; k < depth; ++k) sum = sum + a[from + k * left_step] * b[to + k * right_step];
    return sum;
})";
    Sum operator()(index2 at, vec<T> a, vec<T> b, std::size_t cols, std::size_t depth, std::size_t left_row,
                   std::size_t left_step, std::size_t right_step, std::size_t right_col) const
    {
        const std::size_t from = at.col / cols * left_row, to = at.col % cols * right_col;
        Sum sum = a[from] * b[to];
        for (std::size_t k = 1; k < depth; ++k) sum = sum + a[from + k * left_step] * b[to + k * right_step];
        return sum;
    }
};

/// Throws unless the sides have as many planes, and the right one's rows as many as the left one's columns.
SKELRT_API void check_planes(const plane_shape& left, const plane_shape& right);

} // namespace detail

/// Each plane of the tensor the other way round: an operand of sk::batched_product, read in place.
template <class T>
auto transpose(const tensor<T, 3>& t)
{
    return detail::transposed_planes<T>{t};
}

/// The products of the planes of two tensors: plane p of the result is a.plane(p) * b.plane(p), rows times columns.
/// Either side may be sk::transpose of a tensor.
///
///     sk::tensor<float, 3> c = sk::batched_product(a, sk::transpose(b));
///
/// Elements are numbers, complex ones included; those of sk::half and sk::bfloat16 are added up as floats and give
/// floats. Asynchronous; devices share the planes. cuBLAS does them in one call, OpenBLAS one after the other on each
/// core, where they are (see sk::all_pairs); elsewhere each element is computed by itself, a row's elements added up in
/// their order. O(planes * rows * columns * depth).
/// Errors (sk::error): another number of planes, or planes that do not fit together.
template <class A, class B>
auto batched_product(const A& a, const B& b)
{
    using T = typename A::value_type;
    static_assert(std::is_same_v<T, typename B::value_type>, "skelrt: sk::batched_product takes elements of one type");
    using Sum = decltype(std::declval<T>() * std::declval<T>());
    const detail::plane_shape left = detail::planes_of(a), right = detail::planes_of(b);
    detail::check_planes(left, right);
    tensor<Sum, 3> c(typename tensor<Sum, 3>::extents_type{left.planes, left.rows, right.cols}, uninitialized);
    if (c.empty()) return c;
    if (left.cols == 0) return tensor<Sum, 3>(c.extents(), Sum{});
    const map element(detail::own_function<detail::element_of_plane<T, Sum>, T, Sum>());
    c.flat() = element(shape(left.planes, left.rows * right.cols), per_row(detail::tensor_of(a).flat()),
                       per_row(detail::tensor_of(b).flat()), right.cols, left.cols, left.row_step, left.col_step,
                       right.row_step, right.col_step);
    return c;
}

} // namespace skelrt
