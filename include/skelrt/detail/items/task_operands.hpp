// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../future.hpp"
#include "../../scalar.hpp"
#include "task_call.hpp"

#include <cstddef>
#include <type_traits>
#include <utility>

/// What a task lists, and what its function gets for it.
namespace skelrt::detail
{

template <class C>
concept has_parts = requires(const C& c)
{
    typename C::value_type;
    c.storage();
};
template <class C>
concept is_view = requires
{
    typename C::skelrt_view;
};
/// What a task may write: containers that may change, and views.
template <class C>
concept may_be_written = has_parts<std::remove_cvref_t<C>> &&
    (is_view<std::remove_cvref_t<C>> ||
     (std::is_lvalue_reference_v<C> && !std::is_const_v<std::remove_reference_t<C>>));

template <class T>
placement place_of(const scalar<T>&) noexcept
{
    return {0, 1, 1, 1, 1};
}
template <class C>
    requires requires(const C& c) { c.place(); }
placement place_of(const C& c) noexcept { return c.place(); }

/// A part, where the task runs.
template <class T>
struct seen_part {
    static constexpr bool has_memory = true;
    template <device Kind>
    auto argument(const part_memory& m) const
    {
        if constexpr (Kind == device::opencl) return cl_block<T>(m.data, m.offset / sizeof(T), m.rows, m.cols, m.ld);
        else return part_ref<T>(static_cast<T*>(m.data), m.rows, m.cols, m.ld);
    }
};

/// The private value of a reduction; devices get it with the neutral value in it.
template <class T, class Op>
struct seen_reduced {
    static constexpr bool has_memory = true;
    T neutral;
    template <device Kind>
    auto argument(const part_memory& m) const
    {
        if constexpr (Kind == device::cpu) *static_cast<T*>(m.data) = neutral;
        return seen_part<T>{}.template argument<Kind>(m);
    }
    static void combine(void* total, const void* value)
    {
        T& t = *static_cast<T*>(total);
        t = static_cast<T>(operation()(t, *static_cast<const T*>(value)));
    }

private:
    /// Skeletons' operators and plain ones without captures.
    static auto operation()
    {
        if constexpr (requires { typename Op::lambda; }) return typename Op::lambda{};
        else return Op{};
    }
};

template <class T>
struct seen_value {
    static constexpr bool has_memory = false;
    T value;
    const T& argument() const noexcept { return value; }
};

template <class R>
struct seen_future {
    static constexpr bool has_memory = false;
    future<R> value;
    const R& argument() const { return value.place()->result(); }
};

/// An operand until its task is made.
template <class Seen>
struct task_operand {
    Seen seen;
    task_part part{}; ///< but for its data
    data_ref data{};  ///< a container's: what lies there when the task is made
    bool on_cores_only = false;

    task_part part_now() const
    {
        task_part now = part;
        now.data = data;
        return now;
    }
};
template <class Seen, class C>
task_operand<Seen> operand_on(const C& c, part_use use, const caller& where, Seen seen = {})
{
    return {std::move(seen), {{}, place_of(c), use, sizeof(typename C::value_type), where}, c.storage()};
}

template <class X>
inline constexpr bool is_task_operand = false;
template <class Seen>
inline constexpr bool is_task_operand<task_operand<Seen>> = true;

template <class X>
inline constexpr bool is_future = false;
template <class R>
inline constexpr bool is_future<future<R>> = true;

template <class X>
auto operand_of(X&& x)
{
    using plain = std::remove_cvref_t<X>;
    static_assert(!has_parts<plain>, "skelrt: a task is told what it does with a container: sk::in(x), sk::out(x), "
                                     "sk::inout(x), sk::commute(x), sk::reduction(op, s)");
    if constexpr (is_task_operand<plain>) return std::forward<X>(x);
    else if constexpr (is_future<plain>)
        return task_operand<seen_future<typename plain::value_type>>{{std::forward<X>(x)}};
    else return task_operand<seen_value<std::decay_t<X>>>{{std::forward<X>(x)}};
}

} // namespace skelrt::detail
