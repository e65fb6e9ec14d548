// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../gather.hpp"
#include "detail/heads.hpp"

namespace skelrt
{

namespace detail
{

template <class T>
struct keep_flagged {
    static constexpr const char* name = "sk::unique";
    static constexpr const char* text = "($0, unsigned char flag) { return flag != 0; }";
    bool operator()(const T&, unsigned char flag) const { return flag != 0; }
};

} // namespace detail

/// The first element of each run of equal ones, in order, as std::unique leaves them: of a sorted vector each value
/// once. Elements are numbers, or structs with an operator == that devices know.
///
///     sk::vector<int> names = sk::unique(sk::eval(sk::sort(words)));
///
/// Waits for the number of elements. O(n): two passes, and a byte for each element.
template <class X>
auto unique(const X& x)
{
    using T = detail::operand_element<X>;
    const auto& held = detail::stored(x);
    const vector<unsigned char> heads = detail::run_heads(held);
    return vector<T>(filter(detail::own_function<detail::keep_flagged<T>, T>())(held, heads));
}

} // namespace skelrt
