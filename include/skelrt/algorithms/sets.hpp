// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../filter.hpp"
#include "detail/heads.hpp"
#include "merge.hpp"
#include "search.hpp"

namespace skelrt
{

namespace detail
{

/// Equal elements have numbers in their order; those of a whose number is below how often b has them are common.
template <class T, int Common>
struct keep_common {
    static constexpr const char* name = Common ? "sk::set_intersection" : "sk::set_difference";
    static constexpr const char* text =
        Common
            ? "($0, unsigned long at, unsigned long own, unsigned long first, unsigned long end) { return at - own < "
              "end - first; }"
            : "($0, unsigned long at, unsigned long own, unsigned long first, unsigned long end) { return !(at - own "
              "< end - first); }";
    bool operator()(const T&, std::size_t at, std::size_t own, std::size_t first, std::size_t end) const
    {
        return (at - own < end - first) == (Common != 0);
    }
};

template <int Common, class T>
vector<T> common_or_not(const vector<T>& a, const vector<T>& b)
{
    return filter(own_function<keep_common<T, Common>, T>())(a, positions(a.size()), lower_bound(a, a),
                                                             lower_bound(b, a), upper_bound(b, a));
}

} // namespace detail

// Of sorted vectors of numbers, as the functions of these names in the standard library do: an element that a has n
// times and b m times is in the intersection min(n, m) times, in the union max(n, m) times, and in the difference
// n - m times, but no less than 0. Each waits for the number of elements. O(log n) for each element.

/// The elements that a and b have in common.
template <class A, class B>
auto set_intersection(const A& a, const B& b)
{
    using T = detail::operand_element<A>;
    static_assert(std::is_same_v<T, detail::operand_element<B>>, "skelrt: sets have elements of one type");
    return detail::common_or_not<1, T>(detail::stored(a), detail::stored(b));
}
/// The elements of a that are not in b.
template <class A, class B>
auto set_difference(const A& a, const B& b)
{
    using T = detail::operand_element<A>;
    static_assert(std::is_same_v<T, detail::operand_element<B>>, "skelrt: sets have elements of one type");
    return detail::common_or_not<0, T>(detail::stored(a), detail::stored(b));
}
/// The elements of either.
template <class A, class B>
auto set_union(const A& a, const B& b)
{
    using T = detail::operand_element<A>;
    static_assert(std::is_same_v<T, detail::operand_element<B>>, "skelrt: sets have elements of one type");
    const auto& first = detail::stored(a);
    const auto& second = detail::stored(b);
    return vector<T>(merge(first, detail::common_or_not<0, T>(second, first)));
}

} // namespace skelrt
