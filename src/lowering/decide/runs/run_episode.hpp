#pragma once

#include "src/lowering/engine.hpp"
#include "src/model/episode_book.hpp"
#include "src/program/run_way.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace skelrt::detail
{

/// An outermost run as an episode of its own kind: the book of strategies chooses the way of all calls of its items,
/// and is told what the run took. Programs' own episodes do not steer inside. One run at a time is one; others go the
/// planner's way and prove nothing.
///
/// Lifetime: its run's. Threads: begin() before any item begins, end() after all have ended.
class run_episode
{
public:
    run_episode() = default;
    ~run_episode() { let_go(); }
    run_episode(const run_episode&) = delete;
    run_episode& operator=(const run_episode&) = delete;

    /// `title`: of its place in the program. `items`: 0 if nobody knows. Runs of about as many are alike.
    void begin(engine& e, std::string_view title, std::size_t items, run_way& way);
    /// `e`: null if the runtime has ended.
    void end(engine* e, const run_way& way) noexcept;

private:
    void tell(engine* e, const run_way& way, double us);
    bool had_machine_to_itself(const engine& e, const run_way& way) const noexcept;
    void let_go() noexcept;

    episode_start start_;
    std::size_t items_ = 0;
    double begin_us_ = 0;
    std::uint64_t calls_before_ = 0, runtime_ = 0;
    unsigned forgotten_ = 0;
    bool open_ = false;
};

} // namespace skelrt::detail
