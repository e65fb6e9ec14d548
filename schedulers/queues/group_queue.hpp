// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "schedulers/queues/group_load.hpp"
#include "schedulers/queues/worker_queue.hpp"

#include <starpu.h>

#include <array>
#include <cstddef>
#include <optional>

namespace skelrt::schedulers
{

/// The tasks that any CPU worker of a memory node may take, and how busy those workers are with them. Any thread may
/// call anything; take() and ask() are the calling worker's own.
class group_queue
{
public:
    /// The next task that this worker can run; it runs there, and what the worker took before is done. `ready`: asked
    /// once, if tasks wait, while nobody else may take one: workers look for the same few tasks at the same time.
    template <class Ready>
    std::optional<worker_queue::entry> take(int worker, double now_us, Ready ready)
    {
        return queue_.take(
            now_us, ready, [&](const worker_queue::entry& e) { return can_run(worker, e); },
            [&](const worker_queue::entry& e) { begins(worker, e.us, now_us); });
    }
    /// The worker has found none: what it took before is done.
    void ask(int worker);

    /// How many of these workers there are. Before tasks come.
    void set_workers(std::size_t n) noexcept { workers_ = n; }
    /// Tasks that wait or run, and microseconds until a worker is free for one more: 0 if one has nothing to do.
    std::size_t tasks();
    double busy_us(double now_us);
    /// As worker_queue::take_from_end(); `only`: a worker has nothing to do, and will come for it.
    template <class Wanted>
    starpu_task* take_from_end(double now_us, Wanted wanted)
    {
        const bool only = tasks() <= workers_;
        return queue_.take_from_end(now_us, [&](const worker_queue::entry& e, double waiting_us, bool) {
            return wanted(e, load_.busy_us(now_us, waiting_us, workers_), only);
        });
    }

    worker_queue& waiting() noexcept { return queue_; }

private:
    struct run {
        double us, since_us;
    };
    static bool can_run(int worker, const worker_queue::entry& e);
    void begins(int worker, double us, double now_us);

    worker_queue queue_; ///< its lock is that of the load, too
    std::size_t workers_ = 0;
    group_load load_;
    std::array<std::optional<run>, STARPU_NMAXWORKERS> running_; ///< each its worker's
};

} // namespace skelrt::schedulers
