// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/lookout/lookout.hpp"

#include "src/runtime/log.hpp"

#include <signal.h>
#include <starpu.h>

#include <utility>

namespace skelrt::detail
{

namespace
{

/// The program's signals are for its own threads: a new thread inherits what this one does not take.
class no_signals
{
public:
    no_signals() noexcept
    {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~no_signals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    no_signals(const no_signals&) = delete;
    no_signals& operator=(const no_signals&) = delete;

private:
    sigset_t before_{};
};

} // namespace

lookout::lookout(std::chrono::duration<double> patience, std::chrono::milliseconds between_looks)
    : between_looks_(between_looks), seen_(patience, long_deeds::clock::now())
{
    const no_signals here;
    thread_ = std::jthread([this](const std::stop_token& stop) { go(stop); });
    observe(observer::lookout);
}

lookout::~lookout()
{
    stop_observing(observer::lookout);
    thread_.request_stop();
}

void lookout::devices_are_up(std::vector<std::string> workers)
{
    const std::lock_guard lock(guard_);
    has_tasks_ = !workers.empty();
    seen_.name_workers(std::move(workers));
}

void lookout::go(const std::stop_token& stop)
{
    std::unique_lock lock(guard_);
    while (!woken_.wait_for(lock, stop, between_looks_, [] { return false; }) && !stop.stop_requested()) {
        const int tasks = has_tasks_ ? starpu_task_nsubmitted() : 0;
        const std::string text = seen_.look(look_at_deeds(), tasks, long_deeds::clock::now());
        if (!text.empty()) write_line(text);
    }
}

} // namespace skelrt::detail
