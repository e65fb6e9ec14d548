// SPDX-License-Identifier: BSD-3-Clause
#include <skelrt/detail/call.hpp>
#include <skelrt/detail/over_ranks.hpp>
#include <skelrt/error.hpp>
#include <skelrt/runtime.hpp>
#include <skelrt/version.hpp>

#include "src/config.hpp"
#include "src/data/release.hpp"
#include "src/data/waiting/wait_for_all.hpp"
#include "src/lowering/decide/decide.hpp"
#include "src/lowering/engine.hpp"
#include "src/lowering/ranks/needs/needs.hpp"
#include "src/model/knowledge.hpp"
#include "src/program/program.hpp"
#include "src/runtime/cores/calling_threads.hpp"
#include "src/runtime/log.hpp"
#include "src/runtime/visit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

namespace skelrt
{

namespace
{

/// The runtime object is an empty handle; the engine lives here so that the header needs no StarPU.
detail::engine* the_engine = nullptr;
/// One start or end at a time; whoever comes second waits. Never destroyed: exit handlers may use it late.
std::mutex& starts_and_ends = *new std::mutex;

/// Not from where the program's data goes on being used: a worker cannot wait for itself, nor a function for who called
/// it, nor may the child of a fork touch what is its parent's.
bool may_end_here() { return !detail::is_forked_from_runtime() && !detail::inside_task(); }

detail::calling_threads* farm_threads() { return detail::calling_threads::all; }
/// Which cannot wait for itself either.
bool inside_item() { return farm_threads() && farm_threads()->has_calling_thread(); }

/// Not if items cannot be stopped.
void end_runtime()
{
    const std::lock_guard lock(starts_and_ends);
    if (the_engine && farm_threads() && !farm_threads()->stop()) return;
    delete std::exchange(the_engine, nullptr);
}

/// For programs that leave by std::exit, or never end their runtime: StarPU must stop before static destructors take
/// away what its workers use. Exit handlers run in reverse order, so this one runs before those of our own statics.
void end_forgotten_runtime()
{
    if (!detail::engine::current() || !may_end_here()) return;
    detail::note_exit();
    end_runtime();
}

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
    const std::lock_guard lock(starts_and_ends);
    auto started = std::make_unique<detail::engine>(wanted); // throws before the_engine is touched
    the_engine = started.release();
    [[maybe_unused]] static const int registered = std::atexit(&end_forgotten_runtime);
}

runtime::~runtime()
{
    if (!running()) return; // a program that exits has ended it
    if (may_end_here() && !inside_item()) end_runtime();
    else if (!detail::is_forked_from_runtime())
        detail::log_error(
            "sk::runtime: it was to end inside a user function, a task or an item, which nothing can wait for; it "
            "goes on until the program ends");
}

std::vector<device_info> runtime::devices() const
{
    return detail::call_visit("runtime::devices").runtime().devices().describe();
}

void runtime::wait()
{
    const detail::call_visit visit("runtime::wait");
    detail::engine& e = detail::engine::of(visit.runtime());
    detail::wait_for_all_tasks(e);
    e.order.note_wait(nullptr);
    detail::reap();
}

bool runtime::running() noexcept { return detail::engine::current() != nullptr; }

only::only(device_set kinds, detail::caller where) : previous_(detail::program::current().wishes.kinds)
{
    const detail::call_visit visit("sk::only");
    const detail::engine& e = detail::engine::of(visit.runtime());
    const device_set there = e.devices().available();
    if (e.wanted.checks_devices) kinds = there;
    if ((kinds & there).empty())
        throw error(
            fmt::format("{}:{}: sk::only: asked for {}, but this runtime uses {} (see `skelrt info`, SKELRT_DEVICES)",
                        where.file, where.line, list_kinds(kinds), list_kinds(there)));
    detail::program::current().wishes.kinds = kinds;
}

only::~only() { detail::program::current().wishes.kinds = previous_; }

fusion::fusion(bool on) noexcept : previous_(std::exchange(detail::program::current().wishes.fuses, on)) {}

fusion::~fusion() { detail::program::current().wishes.fuses = previous_; }

bool detail::fuses() noexcept { return program::current().wishes.fuses.value_or(engine::fuses_by_default()); }

/// Each rank's part of a sort is one of its own, and its devices count from its first position.
bool detail::fuses(const recipe& what) noexcept
{
    const engine* const e = engine::current();
    const bool over_ranks = e && e->cluster;
    return fuses() && !(over_ranks && what.kind == skeleton::sort && asks_for_position(what));
}

void forget_models()
{
    const detail::call_visit visit("sk::forget_models");
    detail::engine& e = detail::engine::of(visit.runtime());
    detail::wait_for_all_tasks(e);
    const std::lock_guard lock(e.order);
    e.learnt.forget();
    forget_decisions(e);
}

namespace
{

/// "1.2.3" as SKELRT_VERSION counts.
constexpr int number_of_version(std::string_view text)
{
    int all = 0, part = 0;
    for (const char c : text) {
        if (c != '.') part = part * 10 + (c - '0');
        else all = all * 100 + std::exchange(part, 0);
    }
    return all * 100 + part;
}
static_assert(number_of_version(SKELRT_VERSION_TEXT) == SKELRT_VERSION,
              "meson.build and include/skelrt/version.hpp say different versions");

} // namespace

const char* version() noexcept { return SKELRT_VERSION_TEXT; }

} // namespace skelrt
