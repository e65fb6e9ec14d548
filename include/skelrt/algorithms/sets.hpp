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

template <int Common, class T, class Less>
vector<T> common_or_not(const vector<T>& a, const vector<T>& b, const function<Less>& less)
{
    return filter(own_function<keep_common<T, Common>, T>())(a, positions(a.size()), lower_bound(a, a, less),
                                                             lower_bound(b, a, less), upper_bound(b, a, less));
}

template <class Less, class A, class B>
constexpr bool check_sets()
{
    using T = operand_element<A>;
    constexpr bool alike = std::is_same_v<T, operand_element<B>>;
    static_assert(alike, "skelrt: sets have elements of one type");
    return alike && check_comparator<Less, T, T>();
}

} // namespace detail

// Of vectors that are sorted in the order of `less`, as in sk::merge; without it, of numbers in ascending order. As the
// functions of these names in the standard library do: of elements of which neither comes first, where a has n and b has
// m, the intersection has the first min(n, m) of a, the difference the last n - m of a, if there are more in a, and the
// union all of a and the last m - n of b, if there are more in b. Each waits for the number of elements. O(log n) for each
// element.

/// The elements that a and b have in common.
template <class A, class B, class Less>
auto set_intersection(const A& a, const B& b, const function<Less>& less)
{
    if constexpr (detail::check_sets<Less, A, B>())
        return detail::common_or_not<1>(detail::stored(a), detail::stored(b), less);
    else return detail::refuse(less);
}
template <class A, class B>
auto set_intersection(const A& a, const B& b)
{
    return set_intersection(a, b, detail::ascending_order);
}
template <class A, class B, class Less>
detail::refused_call set_intersection(const A&, const B&, const Less& less)
{
    return detail::refuse(less);
}

/// The elements of a that are not in b.
template <class A, class B, class Less>
auto set_difference(const A& a, const B& b, const function<Less>& less)
{
    if constexpr (detail::check_sets<Less, A, B>())
        return detail::common_or_not<0>(detail::stored(a), detail::stored(b), less);
    else return detail::refuse(less);
}
template <class A, class B>
auto set_difference(const A& a, const B& b)
{
    return set_difference(a, b, detail::ascending_order);
}
template <class A, class B, class Less>
detail::refused_call set_difference(const A&, const B&, const Less& less)
{
    return detail::refuse(less);
}

/// The elements of either.
template <class A, class B, class Less>
auto set_union(const A& a, const B& b, const function<Less>& less)
{
    if constexpr (detail::check_sets<Less, A, B>()) {
        const auto& first = detail::stored(a);
        const auto& second = detail::stored(b);
        return merge(first, detail::common_or_not<0>(second, first, less), less);
    } else {
        return detail::refuse(less);
    }
}
template <class A, class B>
auto set_union(const A& a, const B& b)
{
    return set_union(a, b, detail::ascending_order);
}
template <class A, class B, class Less>
detail::refused_call set_union(const A&, const B&, const Less& less)
{
    return detail::refuse(less);
}

} // namespace skelrt
