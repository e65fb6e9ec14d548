// SPDX-License-Identifier: BSD-3-Clause
#include "schedulers/queues/group_queue.hpp"

#include <mutex>

namespace skelrt::schedulers
{

std::optional<worker_queue::entry> group_queue::take(int worker)
{
    if (queue_.size() == 0) return {};
    const double now = starpu_timing_now();
    const auto can_run = [&](const worker_queue::entry& e) {
        const unsigned implementation = starpu_task_get_implementation(e.task);
        return starpu_worker_can_execute_task(static_cast<unsigned>(worker), e.task, implementation) != 0;
    };
    const auto e = queue_.take(now, can_run);
    if (!e) return {};
    auto& mine = running_[static_cast<std::size_t>(worker)];
    std::lock_guard lock(guard_);
    if (mine) load_.ended(mine->us, mine->since_us);
    load_.started(e->us, now);
    mine = {e->us, now};
    return e;
}

void group_queue::ask(int worker)
{
    auto& before = running_[static_cast<std::size_t>(worker)];
    if (!before) return;
    std::lock_guard lock(guard_);
    load_.ended(before->us, before->since_us);
    before.reset();
}

std::size_t group_queue::tasks()
{
    std::lock_guard lock(guard_);
    return queue_.size() + load_.running();
}

double group_queue::busy_us(double now_us) { return tasks() < workers_ ? 0 : behind(now_us, queue_.busy_us(now_us)); }

double group_queue::behind(double now_us, double waiting_us)
{
    std::lock_guard lock(guard_);
    return load_.busy_us(now_us, waiting_us, workers_);
}

} // namespace skelrt::schedulers
