// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../filter.hpp"
#include "merge.hpp"
#include "search.hpp"
#include "unique.hpp"

#include <algorithm>

namespace skelrt
{

namespace detail
{

/// Whether an element of a is in b, too: 1 or 0. Of equal ones the first of a has the first of b, and so on.
template <class T, class Less>
struct is_common {
    static constexpr const char* name = "sk::set_intersection";
    static constexpr const char* text = R"((skelrt::index1 at, skelrt::vec<$0> a, skelrt::vec<$0> b) {
    const unsigned long i = (unsigned long)at.i;
    unsigned long own = 0, other = 0, count = i;
    while (count > 0) {
        const unsigned long middle = count / 2;
        if ($op(a[own + middle], a[i])) {
            own += middle + 1;
            count -= middle + 1;
        } else {
            count = middle;
        }
    }
    count = b.size();
    while (count > 0) {
        const unsigned long middle = count / 2;
        if ($op(b[other + middle], a[i])) {
            other += middle + 1;
            count -= middle + 1;
        } else {
            count = middle;
        }
    }
    other += i - own;
    return (unsigned char)(other < b.size() && !$op(a[i], b[other]) ? 1 : 0);
})";
    unsigned char operator()(index1 at, vec<T> a, vec<T> b) const { return equals(a[at.i], b, partner(at.i, a, b)); }

    /// On cores: goes along both vectors.
    static void run(index1 first, std::size_t count, unsigned char* out, vec<T> a, vec<T> b)
    {
        const T& v = a[first.i];
        std::size_t other = first_not_before(b, [&](const T& x) { return !Less{}(v, x); });
        other = std::min(other, partner(first.i, a, b));
        for (std::size_t i = first.i; i < first.i + count; ++i) {
            other = next_not_before(b, other, [&](const T& x) { return static_cast<bool>(Less{}(x, a[i])); });
            *out = equals(a[i], b, other);
            other += *out++;
        }
    }

private:
    static std::size_t not_less(const T& v, vec<T> sorted)
    {
        return first_not_before(sorted, [&](const T& x) { return static_cast<bool>(Less{}(x, v)); });
    }
    /// Where b has what belongs to element i of a, if it has it.
    static std::size_t partner(std::size_t i, vec<T> a, vec<T> b)
    {
        return not_less(a[i], b) + (i - not_less(a[i], vec<T>(a.data(), i)));
    }
    static unsigned char equals(const T& v, vec<T> b, std::size_t other)
    {
        return other < b.size() && !Less{}(v, b[other]) ? 1 : 0;
    }
};

template <class T>
struct keep_unflagged {
    static constexpr const char* name = "sk::set_difference";
    static constexpr const char* text = "($0, unsigned char flag) { return flag == 0; }";
    bool operator()(const T&, unsigned char flag) const { return flag == 0; }
};

/// The elements of a that are in b, or that are not: what `keep` says of the flags.
template <class Keep, class T, class Less>
vector<T> common_or_not(const vector<T>& a, const vector<T>& b, const function<Less>& less)
{
    const vector<unsigned char> flags =
        map(own_function_calling<is_common<T, Less>, T, T>(less))(shape(a.size()), a, b);
    return filter(own_function<Keep, T>())(a, flags);
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
// functions of these names in the standard library do: of elements of which neither comes first, where a has n and b
// has m, the intersection has the first min(n, m) of a, the difference the last n - m of a, if there are more in a, the
// union all of a and the last m - n of b, if there are more in b, and the symmetric difference the last ones of
// whichever has more. Each waits for the number of elements. O(log n) for each element; cores go along both vectors,
// O(log of how far apart two neighbours of a are in b). Every device that takes part has all of a and b. Memory
// besides: a byte for each element of a.

/// The elements that a and b have in common.
template <class A, class B, class Less>
auto set_intersection(const A& a, const B& b, const function<Less>& less)
{
    if constexpr (detail::check_sets<Less, A, B>())
        return detail::common_or_not<detail::keep_flagged<detail::operand_element<A>>>(detail::stored(a),
                                                                                       detail::stored(b), less);
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
        return detail::common_or_not<detail::keep_unflagged<detail::operand_element<A>>>(detail::stored(a),
                                                                                         detail::stored(b), less);
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
        return merge(first,
                     detail::common_or_not<detail::keep_unflagged<detail::operand_element<A>>>(second, first, less),
                     less);
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

/// The elements of one of them only.
template <class A, class B, class Less>
auto set_symmetric_difference(const A& a, const B& b, const function<Less>& less)
{
    if constexpr (detail::check_sets<Less, A, B>()) {
        const auto& first = detail::stored(a);
        const auto& second = detail::stored(b);
        using T = detail::operand_element<A>;
        return merge(detail::common_or_not<detail::keep_unflagged<T>>(first, second, less),
                     detail::common_or_not<detail::keep_unflagged<T>>(second, first, less), less);
    } else {
        return detail::refuse(less);
    }
}
template <class A, class B>
auto set_symmetric_difference(const A& a, const B& b)
{
    return set_symmetric_difference(a, b, detail::ascending_order);
}
template <class A, class B, class Less>
detail::refused_call set_symmetric_difference(const A&, const B&, const Less& less)
{
    return detail::refuse(less);
}

} // namespace skelrt
