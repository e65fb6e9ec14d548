// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "schedulers/backlog.hpp"
#include "schedulers/hint.hpp"
#include "schedulers/mutex.hpp"
#include "schedulers/queues/waiting_tasks.hpp"

#include <starpu.h>

#include <atomic>
#include <cstddef>
#include <mutex>
#include <optional>

namespace skelrt::schedulers
{

/// The tasks that a policy has given to one worker, by priority and age, and what they come to. Any thread may call
/// anything.
class worker_queue
{
public:
    struct entry {
        starpu_task* task;
        double us; ///< expected; NaN: not known
        int priority = 0;
        bool watched = false; ///< see backlog
        bool movable = false; ///< thieves may look at it
        bool fetched = false; ///< its data was sent for
        bool held = false;    ///< stays where it is for the moment
    };

    /// The task belongs to the queue, and may be gone when this returns.
    void push(const entry& e);
    /// The owner's next task, or null.
    starpu_task* pop(int owner);
    /// The next one that may_take(entry) and nobody holds, for who is ready(), which is asked once, if tasks wait.
    /// All three with the lock: `taken(entry)` in the end.
    template <class Ready, class MayTake, class Taken>
    std::optional<entry> take(double now_us, Ready ready, MayTake may_take, Taken taken)
    {
        if (!guard_.lock_unless([&] { return size() == 0; })) return {}; // all workers come for one task
        const std::lock_guard lock(guard_, std::adopt_lock);
        if (waiting_.size() == 0 || !ready()) return {};
        const auto e = waiting_.take_first(now_us, [&](const entry& x) { return !x.held && may_take(x); });
        if (!e) return e;
        left(*e);
        taken(*e);
        return e;
    }
    /// Calls f() with the lock, and returns what it does.
    template <class F>
    auto locked(F f)
    {
        std::lock_guard lock(guard_);
        return f();
    }
    /// Of the next one. Nothing without a task; then no lock either.
    std::optional<standing> first(double now_us);
    /// A task that another queue gave away runs on this worker.
    void start(int owner, const entry& e, double now_us);
    /// False: the task did not run here.
    bool ended(const starpu_task& task);

    /// A task from the far end for which `wanted(entry, wait_us, only)`: until it would have ended here, and whether it
    /// is all that the worker has. Looks at a few only, for the owner waits. Null if there is none, or the queue is in
    /// use.
    template <class Wanted>
    starpu_task* take_from_end(double now_us, Wanted wanted)
    {
        std::unique_lock lock(guard_, std::try_to_lock);
        if (!lock || waiting_.size() == 0) return nullptr;
        double wait_us = work_.remaining(now_us);
        const bool only = work_.tasks() == 1;
        const auto e = waiting_.take_last(most_looked_at, [&](const entry& x) {
            const bool takes = x.movable && !x.held && wanted(x, wait_us, only);
            wait_us -= known_us(x.us);
            return takes;
        });
        if (!e) return nullptr;
        left(*e);
        return e->task;
    }

    /// The first of the next `window` tasks whose data nobody has sent for: held until release(). Null: none. For who
    /// pops.
    starpu_task* hold_unfetched(std::size_t window);
    void release(const starpu_task& task);

    std::size_t size() const noexcept { return size_.load(std::memory_order_acquire); }
    bool has_movable() const noexcept { return movable_.load(std::memory_order_acquire) > 0; }
    /// Tasks that it has, and microseconds until they are done.
    std::size_t tasks();
    double busy_us(double now_us);

private:
    static constexpr std::size_t most_looked_at = 8;

    void left(const entry& e);
    void count(int movable);
    void run(int owner, const entry& e, double now_us);

    // What others look at before they ask for the lock, again and again while they have nothing to do: on a line that
    // changes with it alone.
    alignas(64) std::atomic<std::size_t> size_{0}, movable_{0};
    alignas(64) mutex guard_;
    waiting_tasks<entry> waiting_;
    backlog work_;
};

/// A task ended, and StarPU does not always say on which worker.
template <class Queues>
void forget(Queues& queues, const starpu_task& task)
{
    const int worker = starpu_worker_get_id();
    if (worker >= 0 && queues[static_cast<std::size_t>(worker)].ended(task)) return;
    for (unsigned w = 0; w < starpu_worker_get_count(); ++w)
        if (queues[w].ended(task)) return;
}

} // namespace skelrt::schedulers
