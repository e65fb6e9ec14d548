// SPDX-License-Identifier: BSD-3-Clause
#include "schedulers/queues/group_queue.hpp"

namespace skelrt::schedulers
{

bool group_queue::can_run(int worker, const worker_queue::entry& e)
{
    const unsigned implementation = starpu_task_get_implementation(e.task);
    return starpu_worker_can_execute_task(static_cast<unsigned>(worker), e.task, implementation) != 0;
}

/// With the lock.
void group_queue::begins(int worker, double us, double now_us)
{
    auto& mine = running_[static_cast<std::size_t>(worker)];
    if (mine) load_.ended(mine->us, mine->since_us);
    load_.started(us, now_us);
    mine = {us, now_us};
}

void group_queue::ask(int worker)
{
    auto& before = running_[static_cast<std::size_t>(worker)];
    if (!before) return;
    queue_.locked([&] { load_.ended(before->us, before->since_us); });
    before.reset();
}

std::size_t group_queue::tasks()
{
    return queue_.locked([&] { return queue_.size() + load_.running(); });
}

double group_queue::busy_us(double now_us)
{
    if (tasks() < workers_) return 0;
    const double waiting_us = queue_.busy_us(now_us);
    return queue_.locked([&] { return load_.busy_us(now_us, waiting_us, workers_); });
}

} // namespace skelrt::schedulers
