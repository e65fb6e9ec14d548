// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "farm_items.hpp"
#include "task_operands.hpp"

#include "../../kernel.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

/// From an operation and operands to the body that the library runs.
namespace skelrt::detail
{

/// What stands before the operands.
template <device Kind>
auto queue_of(const task_place& here)
{
    if constexpr (Kind == device::cuda) return std::tuple(cuda_stream(here.queue));
    else if constexpr (Kind == device::opencl) return std::tuple(opencl_queue(here.queue, here.context, here.id));
    else return std::tuple<>();
}

template <device Kind, class Seen>
decltype(auto) argument_of(const Seen& s, [[maybe_unused]] const part_memory* m)
{
    if constexpr (Seen::has_memory) return s.template argument<Kind>(*m);
    else return s.argument();
}

/// Calls f(queue, an argument for each operand) on a device.
template <device Kind, class F, class... Seen>
decltype(auto) call_on(F& f, const task_place& here, const std::tuple<Seen...>& operands)
{
    // Where each operand's memory is among the task's.
    [[maybe_unused]] static constexpr auto places = [] {
        std::array<std::size_t, sizeof...(Seen) + 1> at{};
        std::size_t k = 0, next = 0;
        ((at[k++] = Seen::has_memory ? next++ : 0), ...);
        return at;
    }();
    return [&]<std::size_t... I>(std::index_sequence<I...>)->decltype(auto)
    {
        return std::apply(
            [&](auto... queue) -> decltype(auto) {
                return std::invoke(f, queue..., argument_of<Kind>(std::get<I>(operands), here.parts + places[I])...);
            },
            queue_of<Kind>(here));
    }
    (std::index_sequence_for<Seen...>{});
}

template <device Kind, class Seen>
using argument_type = decltype(argument_of<Kind>(std::declval<const Seen&>(), nullptr));
template <device Kind, class F, class... Seen>
inline constexpr bool takes_operands = std::is_invocable_v<F&, argument_type<Kind, Seen>...>;
template <class F, class... Seen>
inline constexpr bool takes_operands<device::cuda, F, Seen...> =
    std::is_invocable_v<F&, cuda_stream, argument_type<device::cuda, Seen>...>;
template <class F, class... Seen>
inline constexpr bool takes_operands<device::opencl, F, Seen...> =
    std::is_invocable_v<F&, opencl_queue, argument_type<device::opencl, Seen>...>;

/// False: and the compiler has said why.
template <class Way, class... Seen>
consteval bool check_way()
{
    constexpr bool fits = takes_operands<Way::kind, decltype(std::declval<Way&>().function), Seen...>;
    if constexpr (Way::kind == device::cuda)
        static_assert(fits,
                      "skelrt: the implementation for CUDA does not take these operands: it takes an "
                      "sk::cuda_stream first, then each part as sk::block<T>, sk::block<const T> where it is sk::in");
    else if constexpr (Way::kind == device::opencl)
        static_assert(fits, "skelrt: the implementation for OpenCL does not take these operands: it takes an "
                            "sk::opencl_queue first, then each part as sk::cl_block<T>, const T where it is sk::in");
    else
        static_assert(fits,
                      "skelrt: the function does not take these operands: it takes each part as std::span<T>, "
                      "sk::block<T> or T&, const T where it is sk::in, and values and futures' values as they are");
    return fits;
}

/// What a task on a core gives; kernels give nothing.
template <class Ways, class... Seen>
struct result_of_ways {
    using type = void;
};
template <class F, class... Seen>
    requires(takes_operands<device::cpu, F, Seen...>)
struct result_of_ways<std::tuple<kernel_way<device::cpu, F>>, Seen...> {
    using type = decltype(call_on<device::cpu>(std::declval<F&>(), std::declval<const task_place&>(),
                                               std::declval<const std::tuple<Seen...>&>()));
};
template <class Ways, class... Seen>
using task_value = kept_value<typename result_of_ways<Ways, Seen...>::type>;

/// A plain function is its task's own; kernels share theirs with their tasks.
template <class Ways>
struct own_ways {
    Ways all;
    Ways& operator*() noexcept { return all; }
    const Ways& operator*() const noexcept { return all; }
};
template <class Held>
using ways_in = std::remove_cvref_t<decltype(*std::declval<Held&>())>;

/// `Held`: own_ways, or a shared_ptr.
template <class Held, class... Seen>
class task_body_of final : public task_body, public run_result<task_value<ways_in<Held>, Seen...>>
{
    using value = task_value<ways_in<Held>, Seen...>;
    static constexpr bool can_go_to_ranks =
        std::is_trivially_copyable_v<value> && std::is_default_constructible_v<value>;

public:
    task_body_of(Held ways, std::tuple<Seen...> operands) : ways_(std::move(ways)), operands_(std::move(operands)) {}

    void prepare(device kind, int number) const override
    {
        const auto prepare_way = [&](const auto& way) {
            if constexpr (requires { way.function.prepare(number); })
                if (way.kind == kind) way.function.prepare(number);
        };
        std::apply([&](const auto&... way) { (prepare_way(way), ...); }, *ways_);
    }
    void check_for_cuda(const std::string& architecture) const override
    {
        [[maybe_unused]] const auto check_way = [&](const auto& way) {
            if constexpr (requires { way.function.check_for_cuda(architecture); })
                way.function.check_for_cuda(architecture);
        };
        std::apply([&](const auto&... way) { (check_way(way), ...); }, *ways_);
    }
    void run(const task_place& here) override
    {
        std::apply([&](auto&... way) { ((way.kind == here.kind ? run_way(way, here) : void()), ...); }, *ways_);
    }
    value& result() override { return *result_; }
    std::optional<std::size_t> result_size() const noexcept override
    {
        if constexpr (std::is_same_v<value, std::monostate>) return 0;
        else if constexpr (can_go_to_ranks) return sizeof(value);
        else return std::nullopt;
    }
    std::byte* result_place() override
    {
        if constexpr (can_go_to_ranks) {
            if (!result_) result_.emplace();
            return reinterpret_cast<std::byte*>(&*result_);
        } else {
            return nullptr;
        }
    }
    const std::tuple<Seen...>& operands() const noexcept { return operands_; }

private:
    template <class Way>
    void run_way(Way& way, const task_place& here)
    {
        if constexpr (std::is_same_v<value, std::monostate>) {
            call_on<Way::kind>(way.function, here, operands_);
            result_.emplace();
        } else {
            result_.emplace(call_on<Way::kind>(way.function, here, operands_));
        }
    }

    Held ways_;
    std::tuple<Seen...> operands_;
    std::optional<value> result_;
};

} // namespace skelrt::detail
