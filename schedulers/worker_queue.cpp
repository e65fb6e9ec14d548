#include "schedulers/worker_queue.hpp"

#include <algorithm>

namespace skelrt::schedulers
{

void worker_queue::push(const entry& e)
{
    std::lock_guard lock(guard_);
    waiting_.push_back(e);
    work_.queued(e.us);
    size_.store(waiting_.size(), std::memory_order_release);
    if (e.movable) movable_.fetch_add(1, std::memory_order_release);
    starpu_push_task_end(e.task);
}

void worker_queue::left(const entry& e)
{
    work_.unqueued(e.us);
    size_.store(waiting_.size(), std::memory_order_release);
    if (e.movable) movable_.fetch_sub(1, std::memory_order_release);
}

starpu_task* worker_queue::pop(int owner)
{
    if (size() == 0) return nullptr;
    std::unique_lock lock(guard_);
    if (waiting_.empty()) return nullptr;
    const entry e = waiting_.front();
    waiting_.pop_front();
    left(e);
    lock.unlock();
    start(owner, e);
    return e.task;
}

void worker_queue::start(int owner, const entry& e)
{
    std::lock_guard lock(guard_);
    if (starpu_worker_get_type(owner) == STARPU_CPU_WORKER) work_.all_ended(); // one after the other
    work_.started(e.task, e.us, starpu_timing_now(), e.watched);
}

bool worker_queue::ended(const starpu_task& task)
{
    std::lock_guard lock(guard_);
    return work_.ended(&task, starpu_timing_now());
}

starpu_task* worker_queue::hold_unfetched(std::size_t window)
{
    std::lock_guard lock(guard_);
    const std::size_t n = std::min(window, waiting_.size());
    for (std::size_t i = 0; i < n; ++i) {
        if (waiting_[i].fetched) continue;
        waiting_[i].fetched = waiting_[i].held = true;
        return waiting_[i].task;
    }
    return nullptr;
}

void worker_queue::release(const starpu_task& task)
{
    std::lock_guard lock(guard_);
    const auto at = std::ranges::find(waiting_, &task, &entry::task);
    if (at != waiting_.end()) at->held = false;
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
