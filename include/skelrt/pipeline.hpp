// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/caller.hpp"
#include "detail/items/typed_stages.hpp"
#include "future.hpp"

#include <concepts>
#include <cstddef>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

/// Pipelines: values that go through stages one after the other, several values at a time.
namespace skelrt
{

/// One stage: a function of one value, or of one and an std::stop_token, that gives the value for the next stage. Made
/// by sk::parallel, sk::serial or sk::in_order.
template <class F>
struct pipeline_stage {
    detail::stage_shape shape;
    F function;
    /// For messages: "token 17, stage 2 (canny): ...".
    pipeline_stage&& named(std::string name) && { return shape.name = std::move(name), std::move(*this); }
};

/// Where the values come from: a function without arguments, or of an std::stop_token, that gives an std::optional,
/// empty at the end. Made by sk::source.
template <class F>
struct pipeline_source {
    detail::stage_shape shape;
    F function;
    pipeline_source&& named(std::string name) && { return shape.name = std::move(name), std::move(*this); }
};

namespace detail
{

template <class F>
concept stage_function = !std::convertible_to<F, std::string>;

template <class T>
inline constexpr bool is_stage = false;
template <class F>
inline constexpr bool is_stage<pipeline_stage<F>> = true;

} // namespace detail

/// One value at a time: one thread is in it.
template <detail::stage_function F>
pipeline_source<std::decay_t<F>> source(F&& next)
{
    return {{"source", detail::stage_kind::serial}, std::forward<F>(next)};
}
template <detail::stage_function F>
pipeline_source<std::decay_t<F>> source(std::string name, F&& next)
{
    return {{std::move(name), detail::stage_kind::serial}, std::forward<F>(next)};
}

/// Several values at once: as many as there are cores, or at most `limit`.
template <detail::stage_function F>
pipeline_stage<std::decay_t<F>> parallel(F&& function, std::size_t limit = 0)
{
    return {{"", detail::stage_kind::parallel, limit}, std::forward<F>(function)};
}
template <detail::stage_function F>
pipeline_stage<std::decay_t<F>> parallel(std::string name, F&& function, std::size_t limit = 0)
{
    return {{std::move(name), detail::stage_kind::parallel, limit}, std::forward<F>(function)};
}

/// One value at a time, in the order in which they come.
template <detail::stage_function F>
pipeline_stage<std::decay_t<F>> serial(F&& function)
{
    return {{"", detail::stage_kind::serial}, std::forward<F>(function)};
}
template <detail::stage_function F>
pipeline_stage<std::decay_t<F>> serial(std::string name, F&& function)
{
    return {{std::move(name), detail::stage_kind::serial}, std::forward<F>(function)};
}

/// One value at a time, in the order of the source.
template <detail::stage_function F>
pipeline_stage<std::decay_t<F>> in_order(F&& function)
{
    return {{"", detail::stage_kind::in_order}, std::forward<F>(function)};
}
template <detail::stage_function F>
pipeline_stage<std::decay_t<F>> in_order(std::string name, F&& function)
{
    return {{std::move(name), detail::stage_kind::in_order}, std::forward<F>(function)};
}

/// A source and some stages. Make it by sk::pipeline. Copies share the stages, which run for one call at a time.
///
/// Cost: some 50 ns a value and stage; one place for each value of the window, made once a call. Values are moved from
/// stage to stage, and stay on their thread where the stages let them. Thread safety: several threads may run pipelines
/// of their own; functions of parallel stages are called by several at once.
template <class Source, class... F>
class stage_pipeline
{
    using stages = detail::typed_stages<Source, F...>;
    using functions = detail::stage_functions<Source, F...>;

public:
    explicit stage_pipeline(pipeline_source<Source> first, pipeline_stage<F>... others)
        : functions_(new functions{std::move(first.function),
                                   {std::move(others.function)...},
                                   {std::move(first.shape), std::move(others.shape)...}})
    {
        static_assert(stages::fit); // refused where it is made, not where it is run
    }

    /// For messages; without one it is "pipeline".
    stage_pipeline& named(std::string name) & { return wishes_.name = std::move(name), *this; }
    /// Of farms and pipelines at the same time, items and values of those with higher numbers begin first.
    stage_pipeline& priority(int p) & { return wishes_.priority = p, *this; }
    /// At most so many values are between the source and their end at a time; else 4 a core.
    stage_pipeline& window(std::size_t n) & { return wishes_.window = n, *this; }
    stage_pipeline&& named(std::string name) && { return std::move(named(std::move(name))); }
    stage_pipeline&& priority(int p) && { return std::move(priority(p)); }
    stage_pipeline&& window(std::size_t n) && { return std::move(window(n)); }

    /// Runs until the source is empty and all values have gone through all stages; gives how many. The calling thread
    /// helps. Once a stage or the source throws, no more values come: those in front of the one that failed end, those
    /// behind it are dropped, and item_error names the value and the stage. Throws error where there is no runtime,
    /// inside user functions and tasks, and while it runs already.
    std::size_t operator()(detail::caller where = detail::caller::here()) const
    {
        return start_as("sk::pipeline", where).get();
    }
    /// The same, not waited for. What the stages refer to must live until it has ended. Cancelled, it ends as
    /// sk::cancelled unless all had gone through: the stages that run see their std::stop_token.
    future<std::size_t> start(detail::caller where = detail::caller::here()) const
    {
        return start_as("pipeline::start", where);
    }

private:
    future<std::size_t> start_as(const char* what, detail::caller where) const
    {
        const auto run = std::make_shared<stages>(functions_);
        return {detail::run_handle::start(what, where, run, wishes_), run};
    }

    std::shared_ptr<functions> functions_;
    detail::token_wishes wishes_;
};

/// Values through stages, several at a time, each stage at its own pace, with skeleton calls and farms inside:
/// `sk::pipeline(sk::source(read), sk::parallel("blur", f, 4), sk::serial(g), sk::in_order(write)).window(16)()`.
///
/// No thread waits for a stage: who finds it full goes on with another value. So a stage that takes long needs no
/// more room than any other, and the slowest serial stage alone says how fast it goes.
template <class Source, class... Stage>
auto pipeline(pipeline_source<Source> first, Stage... others)
{
    static_assert(sizeof...(Stage) > 0 && (detail::is_stage<Stage> && ...),
                  "skelrt: sk::pipeline takes an sk::source, then stages: sk::parallel, sk::serial, sk::in_order");
    if constexpr (sizeof...(Stage) > 0 && (detail::is_stage<Stage> && ...))
        return stage_pipeline<Source, decltype(others.function)...>(std::move(first), std::move(others)...);
}

} // namespace skelrt
