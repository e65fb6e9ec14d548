// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../eval.hpp"
#include "../filter.hpp"
#include "../host.hpp"
#include "../sort.hpp"
#include "detail/order.hpp"
#include "detail/own_function.hpp"
#include "extrema.hpp"
#include "reorder.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

namespace skelrt
{

namespace detail
{

/// Whether an element is in the sample: multiples of the golden section, modulo 1, lie evenly (Knuth, TAOCP 3, 6.4).
template <class T>
struct in_sample {
    static constexpr const char* name = "sk::top_k, sample";
    static constexpr const char* text = "(skelrt::index1 at, $0, unsigned long below) { return (unsigned long)at.i * "
                                        "0x9e3779b97f4a7c15ul < below; }";
    bool operator()(index1 at, const T&, std::uint64_t below) const { return at.i * 0x9e3779b97f4a7c15ul < below; }
};

/// In the order of sk::sort, so that what is no number stays.
template <class T>
struct not_below {
    static constexpr const char* name = "sk::top_k";
    static constexpr const char* text = "($0 x, $0 least) { return !(x < least); }";
    bool operator()(T x, T least) const { return !(x < least); }
};
template <class T>
struct value_not_below {
    static constexpr const char* name = "sk::arg_top_k";
    static constexpr const char* text = "(skelrt::indexed<$0> x, $0 least) { return !(x.value < least); }";
    bool operator()(indexed<T> x, T least) const { return !(x.value < least); }
};

/// The same in the order of a comparator.
template <class T, class First>
struct not_behind {
    static constexpr const char* name = "sk::top_k";
    static constexpr const char* text = "($0 x, $0 last) { return !$op(last, x); }";
    bool operator()(T x, T last) const { return !First{}(last, x); }
};
template <class T, class First>
struct value_not_behind {
    static constexpr const char* name = "sk::arg_top_k";
    static constexpr const char* text = "(skelrt::indexed<$0> x, $0 last) { return !$op(last, x.value); }";
    bool operator()(indexed<T> x, T last) const { return !First{}(last, x.value); }
};

template <class T>
bool is_no_number(const T& v)
{
    if constexpr (std::is_floating_point_v<T>) return std::isnan(v);
    else return false;
}

/// The largest first, in front of them what is no number; a sort keeps the order of equal ones.
template <class T>
struct larger_value {
    static constexpr const char* name = "sk::arg_top_k";
    static constexpr const char* text = "(skelrt::indexed<$0> a, skelrt::indexed<$0> b) { return b.value < a.value || "
                                        "(a.value != a.value && b.value == b.value); }";
    bool operator()(indexed<T> a, indexed<T> b) const
    {
        return b.value < a.value || (is_no_number(a.value) && !is_no_number(b.value));
    }
};
template <class T, class First>
struct value_in_front {
    static constexpr const char* name = "sk::arg_top_k";
    static constexpr const char* text =
        "(skelrt::indexed<$0> a, skelrt::indexed<$0> b) { return $op(a.value, b.value); }";
    bool operator()(indexed<T> a, indexed<T> b) const { return First{}(a.value, b.value); }
};

/// All, whatever container they are in.
template <class E>
struct keep_all {
    static constexpr const char* name = "sk::top_k, all";
    static constexpr const char* text = "($0) { return true; }";
    bool operator()(const E&) const { return true; }
};

/// About 2 sqrt(n) elements of n are looked at, one in so many. Rows of usual lengths in x do not hide from it.
inline std::size_t sample_step(std::size_t n)
{
    auto step = static_cast<std::size_t>(std::sqrt(static_cast<double>(n)) / 2);
    while (std::gcd(step, std::size_t{2 * 3 * 5 * 7}) != 1) ++step;
    return step;
}

/// One in `step` elements, as `sorted` has them.
template <class X, class Sorted>
auto sorted_sample(const X& x, std::size_t step, const Sorted& sorted)
{
    using T = operand_element<X>;
    if constexpr (vector_like<X>) {
        const placement p = x.place();
        return sorted(view1<T>(x.storage(), p.offset, (p.cols + step - 1) / step, p.stride * step));
    } else {
        const std::uint64_t below = std::numeric_limits<std::uint64_t>::max() / step;
        return sorted(filter(own_function<in_sample<T>, T>())(x, below));
    }
}

/// The place in the sample of an element that k of all elements are hardly behind.
inline std::size_t place_of_top(std::size_t k, std::size_t step)
{
    const double expected = static_cast<double>(k) / static_cast<double>(step);
    return static_cast<std::size_t>(expected + 4 * std::sqrt(expected) + 4);
}

/// Some of `elements`, at least k, among which the first k are: those that `keep` keeps. `sorted` gives a vector of the
/// values x, the first in front.
template <class X, class Elements, class Keep, class Sorted>
auto candidates_for_top(const X& x, const Elements& elements, std::size_t k, std::size_t n, const filter<Keep>& keep,
                        const Sorted& sorted)
{
    using T = operand_element<X>;
    using E = operand_element<Elements>;
    const std::size_t step = sample_step(n);
    std::size_t place = place_of_top(k, step);
    if (place < n / step / 2) {
        const vector<T> sample = sorted_sample(x, step, sorted);
        for (; place <= sample.size(); place *= 4) {
            const T last = host_read(sample.range(place - 1, 1))[0];
            const vector<E> candidates = keep(elements, last);
            if (candidates.size() >= k) return candidates;
        }
    }
    return vector<E>(filter(own_function<keep_all<E>, E>())(elements));
}

/// The first k of a vector.
template <class E>
vector<E> first_of(const vector<E>& sorted, std::size_t k)
{
    return eval(sorted.range(0, k));
}

/// Numbers from the largest to the smallest.
struct sorted_down {
    template <class X>
    auto operator()(const X& x) const
    {
        const vector<operand_element<X>> ascending = sort(x);
        return vector<operand_element<X>>(reverse(ascending));
    }
};

/// As sk::sort has them.
template <class First>
struct sorted_by {
    const function<First>& first;
    template <class X>
    auto operator()(const X& x) const
    {
        return vector<operand_element<X>>(sort(x, first));
    }
};

template <class T>
constexpr bool check_top_number()
{
    static_assert(std::is_arithmetic_v<T>,
                  "skelrt: sk::top_k takes numbers; others want a function (T, T) -> bool that says what comes first");
    return std::is_arithmetic_v<T>;
}

/// How many elements x has, if it has k.
template <class X>
std::size_t size_for_top(const X& x, std::size_t k, const char* name)
{
    const std::size_t n = operand_size(x, name);
    if (k > n) throw_top_k(name, k, n);
    return n;
}

/// Elements with their indices.
template <class X>
auto indexed_elements(const X& x)
{
    using T = operand_element<X>;
    return map(own_function<with_index<T>, T>())(x);
}

} // namespace detail

/// The k largest elements of numbers, the largest first; or those k of any elements that `first` has in front, in its
/// order: the first k of sk::sort(x, first).
///
///     sk::vector<float> best = sk::top_k(scores, 10);
///     sk::vector<float> least = sk::top_k(scores, 10, SKELRT_FN((float a, float b) { return a < b; }));
///
/// Sorts a sample of about 2 sqrt(n) elements, takes from it one that k elements will not be behind, and sorts those
/// elements that are not (the idea of Floyd and Rivest, Expected time bounds for selection, 1975). Where there are
/// fewer than k of these, a later one follows: the result is exact. Waits for both. x is a vector, a view or a call: a
/// map call is computed twice, not stored, any other is stored. One pass over a vector, and O(m log m) for m elements,
/// about k + 3 sqrt(k sqrt(n)) + 2 sqrt(n), and as many more as equal the last of them. NaNs count as larger than all
/// numbers, as in sk::sort; where there may be some, filter them out first. `first` is what sk::sort takes. Errors
/// (sk::error): k > n.
template <class X>
auto top_k(const X& x, std::size_t k)
{
    using T = detail::operand_element<X>;
    if constexpr (detail::check_top_number<T>()) {
        const auto& seen = detail::counted(x);
        const std::size_t n = detail::size_for_top(seen, k, "sk::top_k");
        if (k == 0) return vector<T>();
        const filter keep(detail::own_function<detail::not_below<T>, T>());
        const vector<T> ascending = sort(detail::candidates_for_top(seen, seen, k, n, keep, detail::sorted_down()));
        return vector<T>(reverse(ascending.range(ascending.size() - k, k)));
    } else {
        return vector<T>();
    }
}
template <class X, class First>
auto top_k(const X& x, std::size_t k, const function<First>& first)
{
    using T = detail::operand_element<X>;
    if constexpr (detail::check_comparator<First, T, T>()) {
        const auto& seen = detail::counted(x);
        const std::size_t n = detail::size_for_top(seen, k, "sk::top_k");
        if (k == 0) return vector<T>();
        const filter keep(detail::own_function_calling<detail::not_behind<T, First>, T, T>(first));
        const detail::sorted_by<First> in_order{first};
        return detail::first_of(in_order(detail::candidates_for_top(seen, seen, k, n, keep, in_order)), k);
    } else {
        return detail::refuse(first);
    }
}
template <class X, class First>
detail::refused_call top_k(const X&, std::size_t, const First& first)
{
    return detail::refuse(first);
}

/// The same with the index of each element, as sk::indexed; among equal ones those of smaller indices come first. Of a
/// matrix an index is row * columns + column.
///
///     sk::vector<sk::indexed<float>> best = sk::arg_top_k(scores, 10);
template <class X>
auto arg_top_k(const X& x, std::size_t k)
{
    using T = detail::operand_element<X>;
    if constexpr (detail::check_top_number<T>()) {
        const auto& seen = detail::counted(x);
        const std::size_t n = detail::size_for_top(seen, k, "sk::arg_top_k");
        if (k == 0) return vector<indexed<T>>();
        const filter keep(detail::own_function<detail::value_not_below<T>, T>());
        const auto some =
            detail::candidates_for_top(seen, detail::indexed_elements(seen), k, n, keep, detail::sorted_down());
        return detail::first_of(vector<indexed<T>>(sort(some, detail::own_function<detail::larger_value<T>, T>())), k);
    } else {
        return vector<indexed<T>>();
    }
}
template <class X, class First>
auto arg_top_k(const X& x, std::size_t k, const function<First>& first)
{
    using T = detail::operand_element<X>;
    if constexpr (detail::check_comparator<First, T, T>()) {
        const auto& seen = detail::counted(x);
        const std::size_t n = detail::size_for_top(seen, k, "sk::arg_top_k");
        if (k == 0) return vector<indexed<T>>();
        const filter keep(detail::own_function_calling<detail::value_not_behind<T, First>, T, T>(first));
        const auto some = detail::candidates_for_top(seen, detail::indexed_elements(seen), k, n, keep,
                                                     detail::sorted_by<First>{first});
        const auto order = detail::own_function_calling<detail::value_in_front<T, First>, T, T>(first);
        return detail::first_of(vector<indexed<T>>(sort(some, order)), k);
    } else {
        return detail::refuse(first);
    }
}
template <class X, class First>
detail::refused_call arg_top_k(const X&, std::size_t, const First& first)
{
    return detail::refuse(first);
}

} // namespace skelrt
