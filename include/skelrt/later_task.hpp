// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "task.hpp"

#include <concepts>
#include <tuple>
#include <type_traits>
#include <utility>

namespace skelrt
{

/// A task that is not made yet: made by sk::later_task. `t()` makes it and gives its future, as sk::task does, anew
/// each time. An item of farms and groups: it makes the task, waits without a core, and its result is the task's.
///
/// Lifetime: keeps the data of its parts. These are the elements that lie there when it is called, as in a view. Thread
/// safety: any thread may call it, as far as its containers allow.
template <class F, class... Operands>
class later
{
public:
    using skelrt_later = void;

    later(how wishes, F f, Operands... operands)
        : wishes_(std::move(wishes)), function_(std::move(f)), operands_(std::move(operands)...)
    {
    }

    /// Throws what sk::task throws.
    auto operator()() const
    {
        return std::apply(
            [this](const Operands&... o) { return detail::make_plain_task(wishes_, function_, Operands(o)...); },
            operands_);
    }

private:
    how wishes_;
    F function_;
    std::tuple<Operands...> operands_;
};

/// As sk::task, but the task is made when somebody says so: `auto t = sk::later_task(f, sk::in(x)); ... t();`, or
/// `sk::farm(t, g)()`.
template <class F, class... Operands>
    requires(!std::same_as<std::remove_cvref_t<F>, how>)
auto later_task(F&& f, Operands&&... operands)
{
    return later_task(how{}, std::forward<F>(f), std::forward<Operands>(operands)...);
}
template <class F, class... Operands>
auto later_task(const how& wishes, F&& f, Operands&&... operands)
{
    return later<std::decay_t<F>, decltype(detail::operand_of(std::forward<Operands>(operands)))...>(
        wishes, std::forward<F>(f), detail::operand_of(std::forward<Operands>(operands))...);
}

} // namespace skelrt
