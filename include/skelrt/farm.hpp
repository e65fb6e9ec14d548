// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/caller.hpp"
#include "detail/items/farm_items.hpp"
#include "future.hpp"
#include "progress.hpp"

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <ranges>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

/// Farms: work of different kinds or lengths, run at the same time, with skeleton calls inside. docs/farm.md is the
/// tutorial.
namespace skelrt
{

/// A name for an item, for messages: "farm frames, item 2 (left eye): ...".
template <class F>
named_item<std::decay_t<F>> item(std::string name, F&& function)
{
    return {std::move(name), std::forward<F>(function)};
}

/// An item that assigns a call: `sk::into(y, saxpy(2.0f, x, y))`. Only y is referred to.
template <class Container, class Call>
auto into(Container& y, Call call)
{
    return [&y, call = std::move(call)] { y = call; };
}

namespace detail
{

class compute_right;

/// What all farms can be told. Each changes the farm that it is said to, and gives it back.
template <class Farm>
class farm_wishes
{
public:
    /// For messages and progress; without one it is "farm".
    Farm& named(std::string name) & { return wishes_.name = std::move(name), self(); }
    /// Of several farms, items of those with higher numbers begin first.
    Farm& priority(int p) & { return wishes_.priority = p, self(); }
    /// After an item threw no other begins. Else all run, and the errors come together.
    Farm& stop_on_error() & { return wishes_.after_error = on_error::stop, self(); }
    /// Told how many items have ended, and of how many (0: nobody knows): at most 20 times a second and at the end, on
    /// the thread that ended an item, one call at a time. What it throws stops the farm.
    Farm& progress(std::function<void(std::size_t, std::size_t)> told) &
    {
        return wishes_.progress = std::move(told), self();
    }
    /// Over several ranks: each of them runs all items by itself, and nothing goes from one to another. Else the items
    /// are dealt out to the ranks, and the results brought together.
    Farm& on_every_rank() & { return wishes_.ranks = items_of_ranks::all, self(); }
    Farm&& named(std::string name) && { return std::move(named(std::move(name))); }
    Farm&& priority(int p) && { return std::move(priority(p)); }
    Farm&& stop_on_error() && { return std::move(stop_on_error()); }
    Farm&& on_every_rank() && { return std::move(on_every_rank()); }
    Farm&& progress(std::function<void(std::size_t, std::size_t)> told) &&
    {
        return std::move(progress(std::move(told)));
    }

protected:
    farm_wishes() = default;
    run_wishes wishes_;

private:
    Farm& self() { return static_cast<Farm&>(*this); }
};

} // namespace detail

/// A few items, each a function without arguments (or with an std::stop_token): lambdas, functors, calls by sk::into,
/// tasks by sk::later_task, other farms. Make it by sk::farm. Copies share the items.
template <class... F>
class item_farm : public detail::farm_wishes<item_farm<F...>>
{
    using items = detail::fixed_items<F...>;

public:
    using results = std::tuple<detail::item_value<F>...>;

    explicit item_farm(F... item) : items_(std::make_shared<std::tuple<F...>>(std::move(item)...)) {}

    /// Runs all items, with the calling thread, and gives their results; those of void are std::monostate.
    /// Throws item_error if an item threw; error where there is no runtime, and inside user functions and tasks.
    results operator()(detail::caller where = detail::caller::here()) const
    {
        return start_as("sk::farm", where).get();
    }
    /// The same, not waited for. What the items refer to must live until they have ended.
    future<results> start(detail::caller where = detail::caller::here()) const
    {
        return start_as("farm::start", where);
    }

private:
    future<results> start_as(const char* what, detail::caller where) const
    {
        const auto source = std::make_shared<items>(items_);
        return {detail::run_handle::start(what, where, source, {.count = sizeof...(F)}, this->wishes_), source};
    }

    std::shared_ptr<std::tuple<F...>> items_;
};

/// One worker for each of some inputs: a function of an input (or of one and an std::stop_token) that several threads
/// may call at once. Make it by sk::farm. Copies share the worker.
///
/// For work of different lengths, or with skeleton calls inside. A function of the elements of a container is an
/// sk::map, which runs on GPUs as well.
template <class F>
class worker_farm : public detail::farm_wishes<worker_farm<F>>
{
    template <class Inputs>
    using view = std::views::all_t<Inputs>;
    template <class Inputs>
    using value = detail::item_value<const F, std::ranges::range_reference_t<view<Inputs>>>;

public:
    explicit worker_farm(F worker) : worker_(std::make_shared<const F>(std::move(worker))) {}

    /// each(): at most so many inputs have begun whose results were not taken. Else as many as keep all cores busy.
    worker_farm& window(std::size_t n) & { return this->wishes_.window = n, *this; }
    worker_farm&& window(std::size_t n) && { return std::move(window(n)); }
    /// each(): results come as they are ready, one at a time, on the thread that ran the item.
    worker_farm& in_any_order() & { return order_ = detail::result_order::any, *this; }
    worker_farm&& in_any_order() && { return std::move(in_any_order()); }

    /// The results, in the order of the inputs, as a std::vector; nothing, of workers that give nothing. The calling
    /// thread helps. Inputs: any range; those that are not sized and random access are copied one by one, as they come.
    /// Throws item_error if an item threw; error where there is no runtime, and inside user functions and tasks.
    template <std::ranges::input_range Inputs>
    auto operator()(Inputs&& inputs, detail::caller where = detail::caller::here()) const
    {
        if constexpr (detail::at_hand<view<Inputs>>) {
            auto started = start_as("sk::farm", std::forward<Inputs>(inputs), where);
            if constexpr (std::is_same_v<value<Inputs>, std::monostate>) static_cast<void>(std::move(started).get());
            else return std::move(started).get();
        } else {
            using passed = detail::item_value<const F, std::ranges::range_value_t<view<Inputs>>>;
            if constexpr (std::is_same_v<passed, std::monostate>) {
                each(
                    std::forward<Inputs>(inputs), [](std::size_t) {}, where);
            } else {
                std::vector<passed> all;
                const auto keep = [&](std::size_t, passed r) { all.push_back(std::move(r)); };
                pass(std::forward<Inputs>(inputs), keep, detail::result_order::of_inputs, where);
                return all;
            }
        }
    }
    /// The same, not waited for: a future of the vector. The inputs are those of an lvalue, which must live until all
    /// have ended, or the farm's own; so many as the range says.
    template <std::ranges::input_range Inputs>
    auto start(Inputs&& inputs, detail::caller where = detail::caller::here()) const
    {
        static_assert(
            detail::at_hand<view<Inputs>>,
            "skelrt: farm::start takes a sized range with random access; copy the inputs to a std::vector, or "
            "use each()");
        return start_as("farm::start", std::forward<Inputs>(inputs), where);
    }
    /// Calls consumer(number, result) for each input, in their order, on the calling thread, which helps meanwhile; of
    /// workers that give nothing, consumer(number). Bounded memory, however many inputs there are: window(). A consumer
    /// that returns false wants no more; what it throws stops the farm, and is thrown on.
    template <std::ranges::input_range Inputs, class Consumer>
    void each(Inputs&& inputs, Consumer&& consumer, detail::caller where = detail::caller::here()) const
    {
        constexpr bool silent = std::is_same_v<value<Inputs>, std::monostate>;
        constexpr bool fits = silent ? std::is_invocable_v<Consumer&, std::size_t>
                                     : std::is_invocable_v<Consumer&, std::size_t, value<Inputs>>;
        static_assert(fits, "skelrt: the consumer of farm::each takes the number of an input and its result, or the "
                            "number alone if workers give nothing");
        if constexpr (fits) pass(std::forward<Inputs>(inputs), consumer, order_, where);
    }

private:
    /// `first`: the number of the first input, for messages.
    template <class Inputs>
    auto start_as(const char* what, Inputs&& inputs, detail::caller where, std::size_t first = 0) const
    {
        using source = detail::kept_items<F, view<Inputs>>;
        using results = detail::all_results<value<Inputs>>;
        const auto items = std::make_shared<source>(worker_, std::views::all(std::forward<Inputs>(inputs)));
        return future<results>(
            detail::run_handle::start(what, where, items, {.count = items->count(), .first = first}, this->wishes_),
            items);
    }
    template <class Inputs, class Consumer>
    void pass(Inputs&& inputs, Consumer& consumer, detail::result_order order, detail::caller where) const
    {
        if (detail::deals_out(this->wishes_)) return pass_over_ranks(std::forward<Inputs>(inputs), consumer, where);
        constexpr std::size_t most = 4096;
        const std::size_t ring = this->wishes_.window > 0 ? this->wishes_.window : most;
        using source = detail::passing_items<F, view<Inputs>, Consumer>;
        const auto items =
            std::make_shared<source>(*worker_, std::views::all(std::forward<Inputs>(inputs)), consumer, order, ring);
        const auto run = detail::run_handle::start("farm::each", where, items, items->shape(), this->wishes_);
        run.take_all();
        run.check();
    }

    /// Some inputs after the other: all ranks come to know their results, and take them.
    template <class Inputs, class Consumer>
    void pass_over_ranks(Inputs&& inputs, Consumer& consumer, detail::caller where) const
    {
        detail::inputs_in_turn<view<Inputs>> all(std::views::all(std::forward<Inputs>(inputs)));
        const std::size_t most = detail::inputs_at_a_time(this->wishes_, where);
        std::size_t first = 0;
        const auto take = [&](auto some) {
            const auto n = static_cast<std::size_t>(std::ranges::size(some));
            auto results = start_as("farm::each", some, where, first).get();
            first += n;
            return detail::consume_results(consumer, std::move(results), first - n, n);
        };
        while (all.has_more()) {
            if (!take(all.next(most))) return;
        }
    }

    std::shared_ptr<const F> worker_;
    detail::result_order order_ = detail::result_order::of_inputs;
};

/// A farm of items: `sk::farm(f, sk::item("right", g), sk::into(y, saxpy(2.0f, x, y)), sk::farm(h, k))()`.
template <class... F>
    requires(detail::is_item<std::decay_t<F>>&&...)
item_farm<std::decay_t<F>...> farm(F&&... item) { return item_farm<std::decay_t<F>...>(std::forward<F>(item)...); }

/// A farm of one worker: `sk::farm([](const scene& s) { return trace(s); })(scenes)`.
template <class F>
    requires(!detail::is_item<std::decay_t<F>>)
worker_farm<std::decay_t<F>> farm(F&& worker) { return worker_farm<std::decay_t<F>>(std::forward<F>(worker)); }

/// While it lives, the item that made it waits for something that skelrt does not know, a file or a socket: others get
/// its core. Elsewhere it does nothing.
class SKELRT_API blocking
{
public:
    blocking() noexcept;
    ~blocking();
    blocking(const blocking&) = delete;
    blocking& operator=(const blocking&) = delete;

private:
    detail::compute_right* right_;
};

} // namespace skelrt
