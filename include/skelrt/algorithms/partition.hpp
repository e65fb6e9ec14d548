#pragma once

#include "../filter.hpp"
#include "detail/own_function.hpp"

namespace skelrt
{

/// What sk::partition gives.
template <class T>
struct partitioned {
    vector<T> elements;
    std::size_t count; ///< of those for which the predicate is true; they are in front
};

namespace detail
{

template <class H>
struct as_flag {
    static constexpr const char* name = "sk::partition";
    static constexpr const char* text = "($0 hit) { return (unsigned char)(hit ? 1 : 0); }";
    unsigned char operator()(H hit) const { return static_cast<unsigned char>(hit ? 1 : 0); }
};

/// The elements whose flag is `Wanted`.
template <class T, int Wanted>
struct keep_side {
    static constexpr const char* name = "sk::partition";
    static constexpr const char* text =
        Wanted ? "($0, unsigned char flag) { return flag != 0; }" : "($0, unsigned char flag) { return flag == 0; }";
    bool operator()(const T&, unsigned char flag) const { return (flag != 0) == (Wanted != 0); }
};

} // namespace detail

/// The elements for which a function is true, and behind them the others; both in their order, as with
/// std::stable_partition.
///
///     auto [y, n] = sk::partition(x, SKELRT_FN((float v) { return v < 0; })); // y.range(0, n) is negative
///
/// Waits for the number. O(n): the function is called once an element, then two filters and copies.
template <class X, class Predicate>
auto partition(const X& x, const function<Predicate>& predicate)
{
    using T = detail::operand_element<X>;
    const auto& held = detail::stored(x);
    const auto hits = map(predicate)(held);
    using H = typename decltype(hits)::value;
    const vector<unsigned char> flags = map(detail::own_function<detail::as_flag<H>, H>())(hits);
    const vector<T> front = filter(detail::own_function<detail::keep_side<T, 1>, T>())(held, flags);
    partitioned<T> result{vector<T>(held.size(), uninitialized), front.size()};
    const std::size_t rest = held.size() - front.size();
    if (front.size() > 0) result.elements.range(0, front.size()) = detail::copy_of(front);
    if (rest > 0)
        result.elements.range(front.size(), rest) =
            filter(detail::own_function<detail::keep_side<T, 0>, T>())(held, flags);
    return result;
}

} // namespace skelrt
