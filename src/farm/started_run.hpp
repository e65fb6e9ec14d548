// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/farm/runnable.hpp"
#include "src/lowering/decide/runs/run_episode.hpp"
#include "src/program/started_work.hpp"

#include <skelrt/detail/caller.hpp>

#include <cstddef>
#include <exception>
#include <string>
#include <utility>

namespace skelrt::detail
{

/// What a handle is on: a run that somebody started, and may wait for.
class started_run : public runnable, public started_work
{
public:
    /// `title`: "main.cpp:12: farm frames".
    started_run(std::string title, int priority) : runnable(priority), title_(std::move(title)) {}

    bool done() const noexcept override { return runnable::done(); }
    void wait() noexcept override;
    void cancel() noexcept override = 0;
    std::string title() const override { return title_; }

protected:
    /// Lets the pool's threads begin, or runs all here (SKELRT_SEQUENTIAL=1). `items`: 0 if nobody knows how many.
    void begin(std::size_t items = 0);
    void set_done() noexcept
    {
        episode_.end(engine::current());
        runnable::set_done();
        tell_of_end();
    }
    /// A warning in the log, unless somebody wanted it: it was cancelled.
    void warn_of(const std::exception_ptr& what) const noexcept;

private:
    const std::string title_;
    run_episode episode_;
};

/// "main.cpp:12: farm frames"
std::string title_of(const caller& where, const char* kind, const std::string& name);
/// Throws error inside user functions and tasks.
void require_may_wait(const char* what);

} // namespace skelrt::detail
