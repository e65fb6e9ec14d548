// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../gather.hpp"
#include "../matrix.hpp"
#include "detail/own_function.hpp"

#include <algorithm>
#include <cstddef>

/// Elements that lie at equal distances.
namespace skelrt
{

namespace detail
{

struct sliced_position {
    static constexpr const char* name = "sk::slice";
    static constexpr const char* text =
        "(skelrt::index1 at, long first, long step) { return (unsigned long)(first + (long)at.i * step); }";
    std::size_t operator()(index1 at, std::ptrdiff_t first, std::ptrdiff_t step) const
    {
        return static_cast<std::size_t>(first + static_cast<std::ptrdiff_t>(at.i) * step);
    }
};

template <class T>
struct diagonal_element {
    static constexpr const char* name = "sk::diagonal";
    static constexpr const char* text = "(skelrt::index1 at, skelrt::mat<$0> m, unsigned long row, unsigned long col) "
                                        "{ return m(at.i + row, at.i + col); }";
    T operator()(index1 at, mat<T> m, std::size_t row, std::size_t col) const { return m(at.i + row, at.i + col); }
};

/// Throws unless n elements from `first` on in steps are elements of a vector of `size`.
SKELRT_API void check_slice(std::size_t first, std::size_t n, std::ptrdiff_t step, std::size_t size);
/// The elements of a diagonal. Throws where there is no such diagonal.
SKELRT_API std::size_t length_of_diagonal(std::ptrdiff_t which, std::size_t rows, std::size_t cols);

} // namespace detail

/// n elements of a vector from number `first` on, `step` apart; a negative step goes backwards: y[i] = x[first + i
/// step]. Numbered as std::slice does. Elements that follow each other are x.range(first, n), which is also a place to
/// assign to.
///
///     sk::vector<float> odd = sk::slice(x, 1, x.size() / 2, 2);
///     y = a * sk::slice(x, x.size() - 1, x.size(), -1);  // backwards
///
/// A lazy map call, which nests and fuses; every device that takes part has all of x. O(n). Errors (sk::error): the
/// first or the last of them is no element of x.
template <class X>
auto slice(const X& x, std::size_t first, std::size_t n, std::ptrdiff_t step)
{
    const auto& held = detail::stored(x);
    detail::check_slice(first, n, step, held.size());
    return gather(held, map(detail::own_function<detail::sliced_position>())(shape(n), static_cast<std::ptrdiff_t>(first),
                                                                             step));
}

/// The elements of a matrix at (i, i + which): the main diagonal, or one of so many columns further to the right, or,
/// of negative numbers, further down.
///
///     float trace = sk::reduce(sk::plus, 0.0f)(sk::diagonal(m));
///
/// A lazy map call, which nests and fuses; every device that takes part has all of m. O(length). Errors (sk::error):
/// there is no such diagonal.
template <class T>
auto diagonal(const matrix<T>& m, std::ptrdiff_t which = 0)
{
    const std::size_t n = detail::length_of_diagonal(which, m.rows(), m.cols());
    const auto row = static_cast<std::size_t>(std::max<std::ptrdiff_t>(-which, 0));
    const auto col = static_cast<std::size_t>(std::max<std::ptrdiff_t>(which, 0));
    return map(detail::own_function<detail::diagonal_element<T>, T>())(shape(n), m, row, col);
}

} // namespace skelrt
