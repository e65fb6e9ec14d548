// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../for_each.hpp"
#include "detail/own_function.hpp"

namespace skelrt
{

namespace detail
{

/// Who writes an element: its number and one more. 0: nobody.
template <class I>
struct mark_writer {
    static constexpr const char* name = "sk::scatter";
    static constexpr const char* text = "(skelrt::index1 at, $0 to, skelrt::accumulator<unsigned long> writer) { "
                                        "writer.add((unsigned long)to, (unsigned long)at.i + 1); }";
    void operator()(index1 at, I to, accumulator<std::size_t> writer) const
    {
        writer.add(static_cast<std::size_t>(to), at.i + 1);
    }
};

template <class T>
struct taken_from_writer {
    static constexpr const char* name = "sk::scatter";
    static constexpr const char* text = "($0 old, unsigned long writer, skelrt::vec<$0> x) { return writer == 0 ? old "
                                        ": x[writer - 1]; }";
    T operator()(T old, std::size_t writer, vec<T> x) const { return writer == 0 ? old : x[writer - 1]; }
};

} // namespace detail

/// y[index[p]] = x[p] for every p; the other elements of y stay. Each element has at most one writer: with more, what
/// it gets is not specified. Indices are whole numbers, or a map call that gives them; they are not checked.
///
/// Devices find the writer of each element first (8 bytes for each element of y), and then gather: so elements may be
/// of any type. Asynchronous. O(size of x + size of y).
/// Errors (sk::error): another number of indices than of elements.
template <class X, class Index, class Y>
void scatter(const X& x, const Index& index, Y&& y)
{
    using T = typename std::remove_cvref_t<Y>::value_type;
    using I = detail::operand_element<Index>;
    static_assert(std::is_same_v<detail::operand_element<X>, T>,
                  "skelrt: sk::scatter takes elements of the type of those that it writes");
    static_assert(std::is_integral_v<I>, "skelrt: sk::scatter takes whole numbers as indices");
    const auto& held = detail::stored(x);
    const std::size_t n = detail::operand_size(index, "sk::scatter");
    if (n != held.size()) detail::throw_other_sizes("sk::scatter", "elements", held.size(), "indices", n);
    if (n == 0) return;
    vector<std::size_t> writer(y.size(), 0);
    for_each(detail::own_function<detail::mark_writer<I>, I>())(index, writer);
    y = map(detail::own_function<detail::taken_from_writer<T>, T>())(y, writer, held);
}

} // namespace skelrt
