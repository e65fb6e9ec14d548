// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../eval.hpp"
#include "items.hpp"
#include "travelling.hpp"

#include <concepts>
#include <cstddef>
#include <exception>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <ranges>
#include <stop_token>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

/// The items of farms as sources: how each is run, and where its result goes.
namespace skelrt
{

/// An item that has a name, for messages.
template <class F>
struct named_item {
    std::string name;
    F function;
};

namespace detail
{

/// A task that is not made yet: sk::later_task.
template <class F>
concept made_later = requires
{
    typename F::skelrt_later;
};
template <made_later F>
auto value_of_task(const F& f, const std::stop_token& stop)
{
    auto made = f();
    const std::stop_callback cancels(stop, [&made] { made.cancel(); });
    return std::move(made).get();
}

template <class F, class... A>
decltype(auto) run_item(F& f, const std::stop_token& stop, A&&... a)
{
    if constexpr (made_later<F>) return value_of_task(f, stop);
    else if constexpr (std::invocable<F&, A..., std::stop_token>) return std::invoke(f, std::forward<A>(a)..., stop);
    else return std::invoke(f, std::forward<A>(a)...);
}
template <class F>
decltype(auto) run_item(named_item<F>& i, const std::stop_token& stop)
{
    return run_item(i.function, stop);
}

/// Of a call that an item gives, evaluated in the item: its value, or the container that eval() makes.
template <class Call>
auto value_of_call(const Call& call)
{
    if constexpr (gives_one_value<Call>()) return static_cast<typename Call::value>(call);
    else return eval(call);
}
template <class R>
inline constexpr bool gives_call = expression<std::remove_cvref_t<R>>;

/// What an item gives, as a value that can be kept; none: std::monostate.
template <class R>
struct kept {
    using type = std::conditional_t<std::is_void_v<R>, std::monostate, std::remove_cvref_t<R>>;
};
template <class R>
    requires gives_call<R>
struct kept<R> {
    using type = decltype(value_of_call(std::declval<R>()));
};
template <class R>
using kept_value = typename kept<R>::type;
template <class F, class... A>
using item_value = kept_value<decltype(run_item(std::declval<F&>(), std::stop_token{}, std::declval<A>()...))>;

template <class F, class... A>
item_value<F, A...> value_of_item(F& f, const std::stop_token& stop, A&&... a)
{
    using result = decltype(run_item(f, stop, std::forward<A>(a)...));
    if constexpr (std::is_void_v<result>) {
        run_item(f, stop, std::forward<A>(a)...);
        return {};
    } else if constexpr (gives_call<result>) {
        return value_of_call(run_item(f, stop, std::forward<A>(a)...));
    } else {
        return run_item(f, stop, std::forward<A>(a)...);
    }
}

/// Generic functions would take anything for an std::stop_token: of an input they are.
template <class F>
consteval bool takes_only_stop()
{
    if constexpr (!std::is_class_v<F> || requires { &F::operator(); }) return std::invocable<F&, std::stop_token>;
    else return false;
}
template <class F>
inline constexpr bool is_item = std::invocable<F&> || takes_only_stop<F>();
template <class F>
inline constexpr bool is_item<named_item<F>> = is_item<F>;

/// A few items, each a function of its own.
template <class... F>
class fixed_items final : public item_source, public run_result<std::tuple<item_value<F>...>>
{
    using values = std::tuple<item_value<F>...>;
    using all = std::index_sequence_for<F...>;

public:
    explicit fixed_items(std::shared_ptr<std::tuple<F...>> items) : items_(std::move(items)) {}

    void run(std::size_t item, const std::stop_token& stop) override { run_one(all{}, item, stop); }
    std::string name_of(std::size_t item) const override { return name(all{}, item); }
    values& result() override
    {
        std::call_once(gathered_, [&] { gather(all{}); });
        return *result_;
    }
    std::string stays_here() const override { return type_that_stays<values>(); }
    /// No item runs any more: what they hold goes.
    void let_go() noexcept { items_.reset(); }
    void write_result(std::size_t item, std::vector<std::byte>& to) override
    {
        with_place(all{}, item, [&](auto& place) { write_value(*place, to); });
    }
    void read_result(std::size_t item, std::span<const std::byte>& from) override
    {
        with_place(all{}, item, [&]<class R>(std::optional<R>& place) { place.emplace(read_value<R>(from)); });
    }

private:
    template <std::size_t... I, class Do>
    void with_place(std::index_sequence<I...>, [[maybe_unused]] std::size_t item, [[maybe_unused]] Do act)
    {
        static_cast<void>(((I == item && (act(std::get<I>(kept_)), true)) || ...));
    }
    template <std::size_t... I>
    void run_one(std::index_sequence<I...>, std::size_t item, const std::stop_token& stop)
    {
        static_cast<void>(
            ((I == item && (std::get<I>(kept_).emplace(value_of_item(std::get<I>(*items_), stop)), true)) || ...));
    }
    template <std::size_t... I>
    std::string name(std::index_sequence<I...>, std::size_t item) const
    {
        std::string found;
        [[maybe_unused]] const auto look = [&](const auto& i) {
            if constexpr (requires { i.function; }) found = i.name;
        };
        static_cast<void>(((I == item && (look(std::get<I>(*items_)), true)) || ...));
        return found;
    }
    template <std::size_t... I>
    void gather(std::index_sequence<I...>)
    {
        result_.emplace(std::move(*std::get<I>(kept_))...);
    }

    std::shared_ptr<std::tuple<F...>> items_;
    std::tuple<std::optional<item_value<F>>...> kept_;
    std::once_flag gathered_;
    std::optional<values> result_;
};

/// Inputs that any thread may get at, in any order.
template <class Inputs>
inline constexpr bool at_hand = std::ranges::random_access_range<Inputs>&& std::ranges::sized_range<Inputs>;

template <class Inputs>
decltype(auto) nth_of(Inputs& inputs, std::size_t n)
{
    return std::ranges::begin(inputs)[static_cast<std::ranges::range_difference_t<Inputs>>(n)];
}

/// Values at places that are filled in any order: elements where they can be made before, else room for them.
template <class R>
class result_places
{
    static constexpr bool made_before =
        std::default_initializable<R> && std::is_move_assignable_v<R> && !std::is_same_v<R, bool>;
    using place = std::conditional_t<made_before, R, std::optional<R>>;

public:
    explicit result_places(std::size_t n) : places_(n) {}
    void set(std::size_t k, R&& value)
    {
        if constexpr (made_before) places_[k] = std::move(value);
        else places_[k].emplace(std::move(value));
    }
    R& at(std::size_t k)
    {
        if constexpr (made_before) return places_[k];
        else return *places_[k];
    }
    std::vector<R> take()
    {
        if constexpr (made_before) {
            return std::move(places_);
        } else {
            std::vector<R> all;
            all.reserve(places_.size());
            for (place& p : places_) all.push_back(std::move(*p));
            return all;
        }
    }

private:
    std::vector<place> places_;
};
/// Of workers that give nothing.
template <>
class result_places<std::monostate>
{
public:
    explicit result_places(std::size_t) {}
    void set(std::size_t, std::monostate) {}
    std::monostate at(std::size_t) { return {}; }
    std::monostate take() { return {}; }
};

template <class R>
using all_results = decltype(std::declval<result_places<R>&>().take());

/// One worker over inputs at hand; all results are kept.
template <class F, class Inputs>
class kept_items final : public item_source,
                         public run_result<all_results<item_value<const F, std::ranges::range_reference_t<Inputs>>>>
{
    using value = item_value<const F, std::ranges::range_reference_t<Inputs>>;

public:
    kept_items(std::shared_ptr<const F> worker, Inputs inputs)
        : worker_(std::move(worker)), inputs_(std::move(inputs)), places_(count())
    {
    }
    std::size_t count() { return static_cast<std::size_t>(std::ranges::size(inputs_)); }

    void run(std::size_t item, const std::stop_token& stop) override
    {
        places_.set(item, value_of_item(*worker_, stop, nth_of(inputs_, item)));
    }
    all_results<value>& result() override
    {
        std::call_once(gathered_, [&] { result_.emplace(places_.take()); });
        return *result_;
    }
    std::string stays_here() const override { return type_that_stays<value>(); }
    void write_result(std::size_t item, std::vector<std::byte>& to) override { write_value(places_.at(item), to); }
    void read_result(std::size_t item, std::span<const std::byte>& from) override
    {
        places_.set(item, read_value<value>(from));
    }

private:
    std::shared_ptr<const F> worker_;
    Inputs inputs_;
    result_places<value> places_;
    std::once_flag gathered_;
    std::optional<all_results<value>> result_;
};

enum class result_order : std::uint8_t { of_inputs, any };

/// Whether the consumer wants more.
template <class Consumer, class... A>
bool consume(Consumer& consumer, A&&... a)
{
    if constexpr (std::is_same_v<std::invoke_result_t<Consumer&, A...>, bool>)
        return std::invoke(consumer, std::forward<A>(a)...);
    else return std::invoke(consumer, std::forward<A>(a)...), true;
}
template <class R, class Consumer>
bool consume_result(Consumer& consumer, std::size_t item, R&& value)
{
    if constexpr (std::is_same_v<R, std::monostate>) return consume(consumer, item);
    else return consume(consumer, item, std::move(value));
}

/// The results of inputs first, first + 1, ... Whether the consumer wants more.
template <class R, class Consumer>
bool consume_results(Consumer& consumer, std::vector<R> results, std::size_t first, std::size_t)
{
    for (auto&& r : results) // which is no R& of truth values
        if (!consume_result(consumer, first++, R(std::move(r)))) return false;
    return true;
}
template <class Consumer>
bool consume_results(Consumer& consumer, std::monostate, std::size_t first, std::size_t count)
{
    for (std::size_t k = 0; k < count; ++k)
        if (!consume(consumer, first + k)) return false;
    return true;
}

/// Inputs of any kind, some at a time.
template <class Inputs>
class inputs_in_turn
{
public:
    explicit inputs_in_turn(Inputs inputs) : inputs_(std::move(inputs)), next_(std::ranges::begin(inputs_)) {}

    /// Whether there are others. May wait for the next one.
    bool has_more()
    {
        if (is_taken_) ++next_; // not sooner: it may have to be waited for
        is_taken_ = false;
        return next_ != std::ranges::end(inputs_);
    }
    /// At most so many, as a sized range with random access, which lives until the next call. There are some.
    auto next(std::size_t most)
    {
        if constexpr (at_hand<Inputs>) {
            const auto begin = next_;
            std::ranges::advance(next_, static_cast<std::iter_difference_t<std::ranges::iterator_t<Inputs>>>(most),
                                 std::ranges::end(inputs_));
            return std::ranges::subrange(begin, next_);
        } else {
            some_.clear();
            do {
                some_.push_back(*next_);
                is_taken_ = true;
            } while (some_.size() < most && has_more());
            return std::views::iota(std::size_t{0}, some_.size()) |
                   std::views::transform([this](std::size_t k) -> input&& { return std::move(some_[k]); });
        }
    }

private:
    using input = std::conditional_t<at_hand<Inputs>, std::monostate, std::ranges::range_value_t<Inputs>>;

    Inputs inputs_;
    std::ranges::iterator_t<Inputs> next_;
    bool is_taken_ = false;
    std::vector<input> some_; ///< of inputs that come one by one
};

/// One worker over inputs of any kind; a consumer takes the results as they come, and few are alive at a time.
template <class F, class Inputs, class Consumer>
class passing_items final : public item_source
{
    static constexpr bool pulls = !at_hand<Inputs>;
    using reference = std::ranges::range_reference_t<Inputs>;
    using input = std::conditional_t<pulls, std::ranges::range_value_t<Inputs>, std::monostate>;
    using passed = std::conditional_t<pulls, input, reference>;
    using value = item_value<const F, passed>;

public:
    passing_items(const F& worker, Inputs inputs, Consumer& consumer, result_order order, std::size_t ring)
        : worker_(worker), inputs_(std::move(inputs)), consumer_(consumer), order_(order), places_(ring)
    {
        if constexpr (pulls) next_.emplace(std::ranges::begin(inputs_));
    }
    run_shape shape()
    {
        if constexpr (pulls) return {.ring = places_.size(), .pulls = true};
        else return {.count = static_cast<std::size_t>(std::ranges::size(inputs_)), .ring = places_.size()};
    }

    void run(std::size_t item, const std::stop_token& stop) override
    {
        auto result = [&] {
            if constexpr (pulls) return value_of_item(worker_, stop, std::move(*at(item).in));
            else return value_of_item(worker_, stop, nth_of(inputs_, item));
        }();
        if (order_ == result_order::of_inputs) at(item).out.emplace(std::move(result));
        else consume_now(item, std::move(result));
    }
    bool pull(std::size_t item) override
    {
        if constexpr (pulls) {
            if (any_pulled_) ++*next_; // not sooner: it may have to wait for the next input
            any_pulled_ = true;
            if (*next_ == std::ranges::end(inputs_)) return false;
            at(item).in.emplace(**next_);
            return true;
        } else {
            return item_source::pull(item);
        }
    }
    bool take(std::size_t item) override
    {
        place& p = at(item);
        bool more = true;
        if (order_ == result_order::of_inputs) {
            value result = std::move(*p.out);
            pass_over(item);
            more = consume_result(consumer_, item, std::move(result));
        } else {
            pass_over(item);
            const std::lock_guard lock(consuming_);
            if (fault_) std::rethrow_exception(std::exchange(fault_, nullptr));
            more = more_;
        }
        return more;
    }
    void pass_over(std::size_t item) noexcept override
    {
        at(item).in.reset();
        at(item).out.reset();
    }

private:
    struct place {
        std::optional<input> in;
        std::optional<value> out;
    };
    place& at(std::size_t item) { return places_[item % places_.size()]; }

    void consume_now(std::size_t item, value&& result)
    {
        const std::lock_guard lock(consuming_);
        if (!more_ || fault_) return;
        try {
            more_ = consume_result(consumer_, item, std::move(result));
        } catch (...) { // it is the consumer's, not the item's
            fault_ = std::current_exception();
        }
    }

    const F& worker_;
    Inputs inputs_;
    Consumer& consumer_;
    const result_order order_;
    std::vector<place> places_;
    std::optional<std::ranges::iterator_t<Inputs>> next_;
    bool any_pulled_ = false;
    std::mutex consuming_; ///< in any order: one at a time; what follows is under it
    bool more_ = true;
    std::exception_ptr fault_;
};

} // namespace detail

} // namespace skelrt
