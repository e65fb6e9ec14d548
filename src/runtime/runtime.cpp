#include <skelrt/detail/call.hpp>
#include <skelrt/error.hpp>
#include <skelrt/runtime.hpp>

#include "src/config.hpp"
#include "src/data/habits.hpp"
#include "src/data/managed.hpp"
#include "src/lowering/episodes.hpp"
#include "src/lowering/known_calls.hpp"
#include "src/lowering/known_plans.hpp"
#include "src/model/link.hpp"
#include "src/model/model.hpp"
#include "src/model/outcome.hpp"
#include "src/runtime/engine.hpp"
#include "src/runtime/flush.hpp"
#include "src/runtime/log.hpp"
#include "src/runtime/waited.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <utility>

namespace skelrt
{

namespace
{

/// The runtime object is an empty handle; the engine lives here so that the header needs no StarPU.
std::unique_ptr<detail::engine> the_engine;

/// For programs that leave by std::exit, or never end their runtime: StarPU must stop before static destructors take
/// away what its workers use. Exit handlers run in reverse order, so this one runs before those of our own statics.
void end_forgotten_runtime()
{
    if (detail::inside_task()) static_cast<void>(the_engine.release()); // a worker cannot wait for itself
    else the_engine.reset();
}

thread_local device_set thread_kinds = device_set::all();
thread_local int thread_fusion = -1; ///< -1: as the runtime has it

std::string list_kinds(device_set s)
{
    std::string text;
    const auto add = [&](device d, const char* name) {
        if (!s.has(d)) return;
        if (!text.empty()) text += ", ";
        text += name;
    };
    add(device::cpu, "cpu");
    add(device::cuda, "cuda");
    add(device::opencl, "opencl");
    return text.empty() ? "none" : text;
}

} // namespace

runtime::runtime(const options& wanted)
{
    auto started = std::make_unique<detail::engine>(wanted); // throws before the_engine is touched
    the_engine = std::move(started);
    [[maybe_unused]] static const int registered = std::atexit(&end_forgotten_runtime);
}

runtime::~runtime() { the_engine.reset(); }

std::vector<device_info> runtime::devices() const { return the_engine->describe(); }

void runtime::wait()
{
    detail::engine& e = detail::require_engine("runtime::wait");
    detail::wait_for_all_tasks(e);
    note_wait(e, nullptr);
    detail::reap();
}

bool runtime::running() noexcept { return detail::engine::current() != nullptr; }

only::only(device_set kinds) : previous_(thread_kinds)
{
    const device_set there = detail::require_engine("sk::only").available();
    if ((kinds & there).empty())
        throw error(fmt::format("sk::only: asked for {}, but this runtime uses {} (see `skelrt info`, SKELRT_DEVICES)",
                                list_kinds(kinds), list_kinds(there)));
    thread_kinds = kinds;
}

only::~only() { thread_kinds = previous_; }

fusion::fusion(bool on) noexcept : previous_(std::exchange(thread_fusion, on ? 1 : 0)) {}

fusion::~fusion() { thread_fusion = previous_; }

bool detail::fuses() noexcept
{
    if (thread_fusion >= 0) return thread_fusion == 1;
    const engine* e = engine::current();
    return !e || e->fusion();
}

void forget_models()
{
    detail::engine& e = detail::require_engine("sk::forget_models");
    detail::wait_for_all_tasks(e);
    const std::lock_guard lock(e.submission);
    detail::forget_runs();
    detail::forget_habits();
    detail::forget_outcomes();
    detail::forget_links();
    e.known().forget();
    e.plans().forget();
    e.program_episodes().forget();
}

const char* version() noexcept { return SKELRT_VERSION; }

device_set detail::allowed_kinds() noexcept { return thread_kinds; }

} // namespace skelrt
