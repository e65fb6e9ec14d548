// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../cluster.hpp"
#include "../for_each.hpp"
#include "detail/own_function.hpp"

namespace skelrt
{

namespace detail
{

template <class I, class T>
struct set_at_index {
    static constexpr const char* name = "sk::scatter";
    static constexpr const char* text = "(skelrt::index1 from, $0 to, skelrt::vec<$1> x, skelrt::out_vec<$1> y) { "
                                        "y.set((unsigned long)to, x[from.i]); }";
    void operator()(index1 from, I to, vec<T> x, out_vec<T> y) const { y.set(static_cast<std::size_t>(to), x[from.i]); }
};

/// Whether functions may set the elements of y: they lie here without gaps, and are not what is read meanwhile.
template <class X, class Index, class Y>
bool may_set(const X& x, const Index& index, const Y& y)
{
    if constexpr (container<Index>) {
        const placement p = y.place();
        const bool gaps = p.stride != 1 || (p.rows > 1 && p.ld != p.cols);
        const storage* const written = y.storage().get();
        return !gaps && x.storage().get() != written && index.storage().get() != written && ranks() == 1;
    } else {
        return false; // a call may read y
    }
}

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
/// One pass, by an sk::out_vec. Over ranks, where y has gaps, where y is x or index, and where index is a call, devices
/// find the writer of each element first (8 bytes for each element of y), and then gather. Elements may be of any type.
/// Asynchronous. O(size of x + size of y).
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
    const auto& at = detail::counted(index);
    const std::size_t n = detail::operand_size(at, "sk::scatter");
    if (n != held.size()) detail::throw_other_sizes("sk::scatter", "elements", held.size(), "indices", n);
    if (n == 0) return;
    if (detail::may_set(held, at, y)) {
        for_each(detail::own_function<detail::set_at_index<I, T>, I, T>())(at, held, y);
        return;
    }
    vector<std::size_t> writer(y.size(), 0);
    for_each(detail::own_function<detail::mark_writer<I>, I>())(at, writer);
    y = map(detail::own_function<detail::taken_from_writer<T>, T>())(y, writer, held);
}

} // namespace skelrt
