// SPDX-License-Identifier: BSD-3-Clause
#include "schedulers/queues/worker_queue.hpp"

namespace skelrt::schedulers
{

void worker_queue::push(const entry& e)
{
    const double now = starpu_timing_now();
    std::lock_guard lock(guard_);
    waiting_.push(e.priority, now, e);
    work_.queued(e.us);
    count(e.movable ? 1 : 0);
    starpu_push_task_end(e.task);
}

void worker_queue::left(const entry& e)
{
    work_.unqueued(e.us);
    count(e.movable ? -1 : 0);
}

/// With the lock: nobody else writes them.
void worker_queue::count(int movable)
{
    size_.store(waiting_.size(), std::memory_order_release);
    const std::size_t now = movable_.load(std::memory_order_relaxed) + static_cast<std::size_t>(movable);
    if (movable != 0) movable_.store(now, std::memory_order_release);
}

starpu_task* worker_queue::pop(int owner)
{
    if (size() == 0) return nullptr;
    const double now = starpu_timing_now();
    const auto always = [](auto&&...) { return true; };
    const auto e = take(now, always, always, [&](const entry& x) { run(owner, x, now); });
    return e ? e->task : nullptr;
}

std::optional<standing> worker_queue::first(double now_us)
{
    if (size() == 0) return {};
    std::lock_guard lock(guard_);
    return waiting_.first(now_us);
}

void worker_queue::start(int owner, const entry& e, double now_us)
{
    std::lock_guard lock(guard_);
    run(owner, e, now_us);
}

void worker_queue::run(int owner, const entry& e, double now_us)
{
    if (starpu_worker_get_type(owner) == STARPU_CPU_WORKER) work_.all_ended(); // one after the other
    work_.started(e.task, e.us, now_us, e.watched);
}

bool worker_queue::ended(const starpu_task& task)
{
    const placement_hint* const hint = read_hint(task.sched_data);
    std::lock_guard lock(guard_);
    return work_.ended(&task, starpu_timing_now(), hint ? hint->left_us : 0);
}

starpu_task* worker_queue::hold_unfetched(std::size_t window)
{
    std::lock_guard lock(guard_);
    entry* const next = waiting_.find(window, [](const entry& e) { return !e.fetched; });
    if (!next) return nullptr;
    next->fetched = next->held = true;
    return next->task;
}

void worker_queue::release(const starpu_task& task)
{
    std::lock_guard lock(guard_);
    entry* const held = waiting_.find(waiting_.size(), [&](const entry& e) { return e.task == &task; });
    if (held) held->held = false;
}

std::size_t worker_queue::tasks()
{
    std::lock_guard lock(guard_);
    return work_.tasks();
}

double worker_queue::busy_us(double now_us)
{
    std::lock_guard lock(guard_);
    return work_.remaining(now_us);
}

} // namespace skelrt::schedulers
