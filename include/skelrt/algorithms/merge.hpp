#pragma once

#include "detail/own_function.hpp"

namespace skelrt
{

namespace detail
{

/// Where the diagonal of an element crosses the merge path (Odeh, Green, Mwassi, Shmueli and Birk, 2012): how many of
/// the elements in front of it come from a.
template <class T>
struct merged_element {
    static constexpr const char* name = "sk::merge";
    static constexpr const char* text = R"((skelrt::index1 at, skelrt::vec<$0> a, skelrt::vec<$0> b) {
    const unsigned long k = (unsigned long)at.i, n = a.size(), m = b.size();
    unsigned long low = k > m ? k - m : 0, high = k < n ? k : n;
    while (low < high) {
        const unsigned long middle = (low + high) / 2;
        if (b[k - 1 - middle] < a[middle]) high = middle;
        else low = middle + 1;
    }
    const unsigned long other = k - low;
    if (other >= m) return a[low];
    if (low >= n) return b[other];
    return b[other] < a[low] ? b[other] : a[low];
})";
    T operator()(index1 at, vec<T> a, vec<T> b) const
    {
        const std::size_t k = at.i, n = a.size(), m = b.size();
        std::size_t low = k > m ? k - m : 0, high = k < n ? k : n;
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            if (b[k - 1 - middle] < a[middle]) high = middle;
            else low = middle + 1;
        }
        const std::size_t other = k - low;
        if (other >= m) return a[low];
        if (low >= n) return b[other];
        return b[other] < a[low] ? b[other] : a[low];
    }
};

} // namespace detail

/// The elements of two sorted vectors of numbers in one sorted vector; among equal ones those of a come first.
///
/// A lazy map call, which nests and fuses. Each element is found by itself, by a search along the merge path: O(log n)
/// for each, on all devices; every device that takes part has all of a and b.
template <class A, class B>
auto merge(const A& a, const B& b)
{
    using T = detail::operand_element<A>;
    static_assert(std::is_same_v<T, detail::operand_element<B>>, "skelrt: sk::merge takes elements of one type");
    const auto& first = detail::stored(a);
    const auto& second = detail::stored(b);
    return map(detail::own_function<detail::merged_element<T>, T>())(shape(first.size() + second.size()), first,
                                                                     second);
}

} // namespace skelrt
