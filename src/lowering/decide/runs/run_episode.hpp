// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/engine.hpp"
#include "src/model/episode_book.hpp"
#include "src/program/run_way.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace skelrt::detail
{

/// What the book is told of a run by.
struct begun_run {
    episode_start start;
    std::size_t items = 0;
    double begin_us = 0;
    std::uint64_t calls_before = 0, runtime = 0;
    unsigned forgotten = 0;
    std::shared_ptr<const run_way> way;
};

/// An outermost run as an episode of its own kind: the book of strategies chooses the way of all calls of its items,
/// and is told what the run took. Programs' own episodes do not steer inside. One run at a time is one; others go the
/// planner's way and prove nothing. Items may leave calls under way: then it ends once a program has waited for all.
///
/// Lifetime: its run's; what is to be told of it stays until a program waits, or the next run begins. Threads: begin()
/// before any item begins, end() after all have ended; host_waited() any.
class run_episode
{
public:
    run_episode() = default;
    ~run_episode() { let_go(); }
    run_episode(const run_episode&) = delete;
    run_episode& operator=(const run_episode&) = delete;

    /// `title`: of its place in the program. `items`: 0 if nobody knows. Runs of about as many are alike.
    void begin(engine& e, std::string_view title, std::size_t items, std::shared_ptr<run_way> way);
    /// `e`: null if the runtime has ended.
    void end(engine* e) noexcept;
    /// A program has waited for calls. Cheap while no run has left any.
    static void host_waited(const engine& e) noexcept;

private:
    void let_go() noexcept;

    begun_run run_;
    bool open_ = false;
};

} // namespace skelrt::detail
