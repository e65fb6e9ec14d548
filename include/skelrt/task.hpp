// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/items/recycled.hpp"
#include "detail/items/task_body.hpp"
#include "matrix.hpp"
#include "operators.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <memory>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

/// Tasks: one function on parts of containers, run on one core or one GPU as soon as what it needs is there.
///
///     sk::task({.priority = 3}, gemm, sk::in(A(i, k)), sk::in(B(k, j)), sk::inout(C(i, j)), -1.0);
///
/// Tasks depend on each other by what they read and write, exactly: two run one after the other only if they share an
/// element that one of them writes. Skeleton calls and host views on the same data are ordered with them, in the order
/// in which the program makes them. A task never waits and calls nothing of skelrt; what it needs, it lists.
namespace skelrt
{

/// in, out, inout: a container, a view, or an element of sk::blocks, as a task uses it: it reads it; writes every
/// element of it, for what was there before is not brought to the task; reads and writes it.
template <class C>
    requires(detail::has_parts<C>)
auto in(const C& c, detail::caller where = detail::caller::here())
{
    return detail::operand_on<detail::seen_part<const typename C::value_type>>(c, detail::part_use::in, where);
}
template <class C>
    requires(detail::may_be_written<C>)
auto out(C&& c, detail::caller where = detail::caller::here())
{
    return detail::operand_on<detail::seen_part<typename std::remove_cvref_t<C>::value_type>>(c, detail::part_use::out,
                                                                                              where);
}
template <class C>
    requires(detail::may_be_written<C>)
auto inout(C&& c, detail::caller where = detail::caller::here())
{
    return detail::operand_on<detail::seen_part<typename std::remove_cvref_t<C>::value_type>>(
        c, detail::part_use::inout, where);
}
/// Changes them in a way that commutes: such tasks run one at a time, in any order.
template <class C>
    requires(detail::may_be_written<C>)
auto commute(C&& c, detail::caller where = detail::caller::here())
{
    return detail::operand_on<detail::seen_part<typename std::remove_cvref_t<C>::value_type>>(
        c, detail::part_use::commute, where);
}

/// A private value that begins as `neutral`; afterwards total = op(total, value), in the order in which the tasks were
/// made: the same bits in each run. Such tasks run at the same time.
template <class Op, class T>
auto reduction(const Op&, std::type_identity_t<T> neutral, scalar<T>& total,
               detail::caller where = detail::caller::here())
{
    using seen = detail::seen_reduced<T, Op>;
    auto made = detail::operand_on<seen>(total, detail::part_use::reduction, where, seen{neutral});
    made.part.combine = &seen::combine;
    return made;
}
/// The same; the neutral element of sk::plus, sk::multiplies, sk::minimum and sk::maximum is known.
template <class Op, class T>
    requires(std::is_arithmetic_v<T>)
auto reduction(const Op& op, scalar<T>& total, detail::caller where = detail::caller::here())
{
    using limits = std::numeric_limits<T>;
    if constexpr (std::is_same_v<Op, std::remove_cv_t<decltype(plus)>>) return reduction(op, T{0}, total, where);
    else if constexpr (std::is_same_v<Op, std::remove_cv_t<decltype(multiplies)>>)
        return reduction(op, T{1}, total, where);
    else if constexpr (std::is_same_v<Op, std::remove_cv_t<decltype(minimum)>>)
        return reduction(op, limits::has_infinity ? limits::infinity() : limits::max(), total, where);
    else {
        static_assert(std::is_same_v<Op, std::remove_cv_t<decltype(maximum)>>,
                      "skelrt: the neutral element of this operator is not known: sk::reduction(op, neutral, total)");
        return reduction(op, limits::has_infinity ? -limits::infinity() : limits::lowest(), total, where);
    }
}

/// n elements of memory where the task runs, with nothing in them: workspaces.
template <class T>
auto scratch(std::size_t n, detail::caller where = detail::caller::here())
{
    detail::task_operand<detail::seen_part<T>> made;
    made.part.place = {0, 1, n, n, 1};
    made.part.use = detail::part_use::scratch;
    made.part.element_size = sizeof(T);
    made.part.where = where;
    return made;
}

/// The user's own pointer, which nobody looks after: the task runs on a core.
template <class T>
auto opaque(T* pointer)
{
    detail::task_operand<detail::seen_value<T*>> made{{pointer}};
    made.on_cores_only = true;
    return made;
}

namespace detail
{

template <class X>
const run_handle* handle_in(const X&) noexcept
{
    return nullptr;
}
template <class R>
const run_handle* handle_in(const seen_future<R>& f) noexcept
{
    return &f.value.handle();
}

/// Packs the operands and hands them over.
template <class Held, class... Seen>
auto make_task(const how& wishes, kernel_record& what, Held ways, task_operand<Seen>&&... operands)
{
    using body = task_body_of<Held, Seen...>;
    constexpr std::size_t count = (std::size_t{0} + ... + (Seen::has_memory ? 1 : 0));
    std::array<task_part, count> parts;
    [[maybe_unused]] std::size_t listed = 0;
    [[maybe_unused]] const auto list = [&](auto& o) {
        if constexpr (std::remove_cvref_t<decltype(o.seen)>::has_memory) parts[listed++] = o.part_now();
    };
    (list(operands), ...);
    const bool cores_only = (false || ... || operands.on_cores_only);
    auto made = std::allocate_shared<body>(recycling<body>(), std::move(ways),
                                           std::tuple<Seen...>(std::move(operands.seen)...));
    std::size_t next = 0;
    [[maybe_unused]] const auto find_neutral = [&](const auto& seen) {
        if constexpr (requires { seen.neutral; }) parts[next].neutral = &seen.neutral;
        next += std::remove_cvref_t<decltype(seen)>::has_memory ? 1 : 0;
    };
    std::vector<run_handle> futures;
    [[maybe_unused]] const auto find_future = [&](const auto& seen) {
        if (const run_handle* const h = handle_in(seen)) futures.push_back(*h);
    };
    std::apply([&](const auto&... seen) { (find_neutral(seen), ...), (find_future(seen), ...); }, made->operands());
    run_handle handle = submit_task({what, wishes, made, parts, futures, cores_only});
    return future<task_value<ways_in<Held>, Seen...>>(std::move(handle), std::move(made));
}

template <class F, class... Seen>
auto make_plain_task(const how& wishes, F&& f, task_operand<Seen>&&... operands)
{
    using way = kernel_way<device::cpu, std::decay_t<F>>;
    if constexpr (!check_way<way, Seen...>()) {
        return future<std::monostate>{};
    } else {
        caller first{};
        ((first.line == 0 ? static_cast<void>(first = operands.part.where) : void()), ...);
        const auto find_record = [&]() -> kernel_record& { return record_of_function(typeid(way).name(), first); };
        kernel_record* found = nullptr;
        if constexpr (std::is_class_v<std::decay_t<F>>) {
            static kernel_record& of_type = find_record();
            found = &of_type;
        } else {
            found =
                &find_record(); // functions of one signature have one type, and are told apart by their tasks' lines
        }
        return make_task(wishes, *found, own_ways<std::tuple<way>>{{way{std::forward<F>(f)}}}, std::move(operands)...);
    }
}

template <class... Ways, class... Seen>
auto make_plain_task(const how& wishes, const kernel<Ways...>& k, task_operand<Seen>&&... operands)
{
    if constexpr (!(check_way<Ways, Seen...>() && ...)) return future<std::monostate>{};
    else return make_task(wishes, k.record(), k.ways(), std::move(operands)...);
}

} // namespace detail

/// One task, begun when the data that it uses is there; returns at once. `f`: an sk::kernel, or a function, which runs
/// on a core. For each operand it gets one argument: of parts (in, out, inout, commute, reduction, scratch) an
/// sk::block<T>, an std::span<T> where there are no gaps between rows, or T& of the first element, const T for `in`;
/// the value of a future by const reference (the task waits for it, and is skipped if it failed); the pointer of
/// `opaque`; a copy of anything else. What a plain function returns is the future's value.
///
/// Errors: throws error at once if no device can run it, for parts of one task that overlap while it writes them, and
/// inside tasks and user functions. What the function throws reaches those who read what it writes, and its future, as
/// an item_error; tasks that read that do not run.
/// Complexity: a microsecond or two, as much as StarPU takes, and 20 for parts that were not used in this shape before.
template <class F, class... Operands>
    requires(!std::same_as<std::remove_cvref_t<F>, how>)
auto task(F&& f, Operands&&... operands)
{
    return detail::make_plain_task(how{}, std::forward<F>(f), detail::operand_of(std::forward<Operands>(operands))...);
}
template <class F, class... Operands>
auto task(const how& wishes, F&& f, Operands&&... operands)
{
    return detail::make_plain_task(wishes, std::forward<F>(f), detail::operand_of(std::forward<Operands>(operands))...);
}

/// Waits until all calls and tasks that the calling thread has made are done; errors stay with their data and futures.
/// Throws error where there is no runtime, and inside tasks and user functions.
SKELRT_API void wait_all();

} // namespace skelrt
