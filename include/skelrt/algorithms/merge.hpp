// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../detail/loops/merge.hpp"
#include "detail/merge_step.hpp"
#include "detail/order.hpp"

#include <algorithm>

namespace skelrt
{

namespace detail
{

/// Where the merge path crosses each merge_step-th diagonal (Odeh, Green, Mwassi, Shmueli and Birk, 2012): how many of
/// the elements in front of it come from a.
template <class T, class Less>
struct merge_crossing {
    static constexpr const char* name = "sk::merge, path";
    static constexpr const char* text = R"((skelrt::index1 at, skelrt::vec<$0> a, skelrt::vec<$0> b) {
    const unsigned long n = a.size(), m = b.size();
    unsigned long k = (unsigned long)at.i * 2048;
    if (k > n + m) k = n + m;
    unsigned long low = k > m ? k - m : 0, high = k < n ? k : n;
    while (low < high) {
        const unsigned long middle = (low + high) / 2;
        if ($op(b[k - 1 - middle], a[middle])) high = middle;
        else low = middle + 1;
    }
    return low;
})";
    static_assert(merge_step == 2048);
    std::size_t operator()(index1 at, vec<T> a, vec<T> b) const
    {
        const std::size_t k = std::min(at.i * merge_step, a.size() + b.size());
        return taken_from_left(a, a.size(), b, b.size(), k, Less{});
    }
};

/// An element of the path, between two crossings. CUDA has a kernel of its own for calls of nothing else, which knows
/// this function by its name (codelets/cuda/sort/merge.cpp).
template <class T, class Less>
struct merged_element {
    static constexpr const char* name = "sk::merge";
    static constexpr const char* text =
        R"((skelrt::index1 at, skelrt::vec<$0> a, skelrt::vec<$0> b, skelrt::vec<unsigned long> path) {
    const unsigned long k = (unsigned long)at.i, n = a.size(), m = b.size(), begin = k - k % 2048;
    const unsigned long end = begin + 2048 < n + m ? begin + 2048 : n + m;
    const unsigned long first = path[k / 2048], last = path[k / 2048 + 1], others = end - last;
    unsigned long low = k > others && k - others > first ? k - others : first;
    unsigned long high = k - (begin - first) < last ? k - (begin - first) : last;
    while (low < high) {
        const unsigned long middle = (low + high) / 2;
        if ($op(b[k - 1 - middle], a[middle])) high = middle;
        else low = middle + 1;
    }
    const unsigned long other = k - low;
    if (other >= m) return a[low];
    if (low >= n) return b[other];
    return $op(b[other], a[low]) ? b[other] : a[low];
})";
    T operator()(index1 at, vec<T> a, vec<T> b, vec<std::size_t> path) const
    {
        const std::size_t low = taken_from_a(at.i, a, b, path), other = at.i - low;
        if (other >= b.size()) return a[low];
        if (low >= a.size()) return b[other];
        return Less{}(b[other], a[low]) ? b[other] : a[low];
    }
    /// On cores: what lies between two places of the path is merged from one end to the other.
    static void run(index1 first, std::size_t count, T* out, vec<T> a, vec<T> b, vec<std::size_t> path)
    {
        const std::size_t i = taken_from_a(first.i, a, b, path), j = first.i - i;
        const std::size_t n = std::clamp(taken_from_a(first.i + count, a, b, path), i, i + count) - i;
        merge_runs(a.data() + i, n, b.data() + j, count - n, out, Less{});
    }

private:
    /// How many of the first k elements come from a. No more than there are, and no fewer than b leaves, even if the
    /// operands are not sorted.
    static std::size_t taken_from_a(std::size_t k, vec<T> a, vec<T> b, vec<std::size_t> path)
    {
        const std::size_t begin = k - k % merge_step, first = path[k / merge_step];
        if (k == begin) return first;
        const std::size_t end = std::min(begin + merge_step, a.size() + b.size());
        const std::size_t last = path[k / merge_step + 1], others = end - last;
        std::size_t low = k > others && k - others > first ? k - others : first;
        std::size_t high = std::min(k - (begin - first), last);
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            if (Less{}(b[k - 1 - middle], a[middle])) high = middle;
            else low = middle + 1;
        }
        return low;
    }
};

} // namespace detail

/// The elements of two vectors that are sorted in the order of `less`, in one such vector; among elements of which
/// neither comes first those of a do.
///
///     sk::vector<particle> all = sk::merge(a, b, SKELRT_FN((particle p, particle q) { return p.cell < q.cell; }));
///
/// `less` is what sk::sort takes; without it, elements are numbers in ascending order. Asynchronous. The path of the
/// merge is found at every 2048th element. From there on cores merge in order, and CUDA whole tiles of elements of up to
/// 8 bytes; on OpenCL, and CUDA where they are larger, each element is found by itself in eleven steps. Every device that
/// takes part has all of a and b. Memory besides: 8 bytes for 2048 elements.
template <class A, class B, class Less>
auto merge(const A& a, const B& b, const function<Less>& less)
{
    using T = detail::operand_element<A>;
    static_assert(std::is_same_v<T, detail::operand_element<B>>, "skelrt: sk::merge takes elements of one type");
    if constexpr (detail::check_comparator<Less, T, T>()) {
        const auto& first = detail::stored(a);
        const auto& second = detail::stored(b);
        const std::size_t n = first.size() + second.size();
        const map cross(detail::own_function_calling<detail::merge_crossing<T, Less>, T, T>(less));
        const vector<std::size_t> path =
            cross(shape((n + detail::merge_step - 1) / detail::merge_step + 1), first, second);
        const map pick(detail::own_function_calling<detail::merged_element<T, Less>, T, T>(less));
        return vector<T>(pick(shape(n), first, second, path));
    } else {
        return detail::refuse(less);
    }
}
template <class A, class B>
auto merge(const A& a, const B& b)
{
    return merge(a, b, detail::ascending_order);
}
template <class A, class B, class Less>
detail::refused_call merge(const A&, const B&, const Less& less)
{
    return detail::refuse(less);
}

} // namespace skelrt
