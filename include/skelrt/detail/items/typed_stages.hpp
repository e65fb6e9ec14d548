// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../error.hpp"
#include "farm_items.hpp"
#include "tokens.hpp"

#include <array>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

/// The stages of a pipeline with their types: where each finds its value, and leaves the next one.
namespace skelrt::detail
{

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <class F, class V>
inline constexpr bool takes = std::invocable<F&, V> || std::invocable<F&, V, std::stop_token>;

template <class...>
struct earlier_values {
};

/// What waits in front of each stage: V in front of the first of these, its result in front of the second, ...
template <class Before, class V, class... F>
struct values_between;
template <class... Before, class V, class Last>
struct values_between<earlier_values<Before...>, V, Last> {
    static_assert(takes<Last, V>, "skelrt: the last stage of this pipeline cannot take what the stage before it gives");
    using type = std::variant<std::monostate, Before..., V>;
};
template <class... Before, class V, class F, class Next, class... Rest>
struct values_between<earlier_values<Before...>, V, F, Next, Rest...> {
    static_assert(takes<F, V>, "skelrt: a stage of this pipeline cannot take what the stage before it gives");
    using result = item_value<F, V>;
    static_assert(!std::is_same_v<result, std::monostate>,
                  "skelrt: a stage of a pipeline gives a value for the next one; only the last may give nothing");
    using type = typename values_between<earlier_values<Before..., V>, result, Next, Rest...>::type;
};

/// The functions of a pipeline, shared by its copies.
template <class Source, class... F>
struct stage_functions {
    Source source;
    std::tuple<F...> others;
    std::vector<stage_shape> shapes;
    std::atomic<bool> in_use{false};
};

template <class Source, class... F>
class typed_stages final : public token_stages
{
    using functions = stage_functions<Source, F...>;
    using filled = item_value<Source>;
    static_assert(is_optional<filled>, "skelrt: the source of a pipeline gives a std::optional, empty at its end");
    using place = typename values_between<earlier_values<>, typename filled::value_type, F...>::type;

public:
    static constexpr bool fit = sizeof(place) > 0;

    /// Throws error if the pipeline runs already.
    explicit typed_stages(std::shared_ptr<functions> f) : functions_(std::move(f))
    {
        if (functions_->in_use.exchange(true))
            throw error(
                "sk::pipeline: it runs already, and its stages are made for one run at a time; make another one");
    }
    ~typed_stages() override { give_back(); }

    const std::vector<stage_shape>& shapes() const noexcept override { return functions_->shapes; }
    void make_places(std::size_t count) override { places_ = std::vector<place>(count); }
    bool pull(std::size_t at, const std::stop_token& stop) override
    {
        filled value = value_of_item(functions_->source, stop);
        if (value) places_[at].template emplace<1>(std::move(*value));
        return value.has_value();
    }
    void run(std::size_t stage, std::size_t at, const std::stop_token& stop) override
    {
        run_one(std::index_sequence_for<F...>{}, stage, places_[at], stop);
    }
    void drop(std::size_t at) noexcept override { places_[at].template emplace<0>(); }
    void end(std::size_t tokens) noexcept override
    {
        tokens_ = tokens;
        give_back();
    }
    std::size_t& result() override { return tokens_; }

private:
    using runner = void (*)(functions&, place&, const std::stop_token&);

    template <std::size_t... I>
    void run_one(std::index_sequence<I...>, std::size_t stage, place& p, const std::stop_token& stop)
    {
        static constexpr std::array<runner, sizeof...(F)> all{&run_stage<I>...};
        all[stage - 1](*functions_, p, stop);
    }
    template <std::size_t I>
    static void run_stage(functions& all, place& p, const std::stop_token& stop)
    {
        auto& f = std::get<I>(all.others);
        if constexpr (I + 1 == sizeof...(F)) {
            static_cast<void>(run_item(f, stop, std::move(std::get<I + 1>(p))));
        } else {
            auto result = run_item(f, stop, std::move(std::get<I + 1>(p)));
            p.template emplace<I + 2>(std::move(result));
        }
    }
    void give_back() noexcept
    {
        if (!gave_back_) functions_->in_use = false;
        gave_back_ = true;
    }

    const std::shared_ptr<functions> functions_;
    std::vector<place> places_;
    std::size_t tokens_ = 0;
    bool gave_back_ = false;
};

} // namespace skelrt::detail
