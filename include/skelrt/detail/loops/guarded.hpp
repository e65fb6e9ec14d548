// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <type_traits>
#include <utility>

/// Calls of user functions in loops that no exception may leave.
namespace skelrt::detail
{

/// Runs f; an exception goes to `what`. None may leave a simd loop: that would end the program. Where f cannot throw
/// the compiler sees it and nothing is left of this.
template <class F>
void guarded(std::exception_ptr& what, const F& f) noexcept
{
    try {
        f();
    } catch (...) {
        what = std::current_exception();
    }
}

/// The same for a value; T{} takes the place of one that could not be computed.
template <class T, class F>
T guarded_value(std::exception_ptr& what, const F& f) noexcept
{
    try {
        return f();
    } catch (...) {
        what = std::current_exception();
        return T{};
    }
}

/// An operator whose exceptions go to `what`. Loops over parts look whether it, or a function beside it, has failed:
/// what fails everywhere does so in one part, not in each of millions of elements.
template <class T, class Op>
struct guarded_operator {
    std::exception_ptr* what;
    bool failed() const noexcept { return *what != nullptr; }
    T operator()(const T& a, const T& b) const noexcept
    {
        return guarded_value<T>(*what, [&] { return static_cast<T>(Op{}(a, b)); });
    }
};

inline void rethrow(const std::exception_ptr& what)
{
    if (what) std::rethrow_exception(what);
}

} // namespace skelrt::detail
