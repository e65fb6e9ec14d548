// SPDX-License-Identifier: BSD-3-Clause
#include "schedulers/mutex.hpp"
#include "schedulers/policies.hpp"
#include "schedulers/policy.hpp"
#include "schedulers/queues/lanes.hpp"
#include "schedulers/workers.hpp"

#include <array>
#include <atomic>
#include <mutex>

/// The scheduler of SMPSs: what a worker made ready it runs itself, newest first, for the data is in its cache. Whoever
/// has nothing of its own takes what has waited longest.
namespace skelrt::schedulers
{

namespace
{

/// A queue that several threads use. Looking into an empty one takes no lock.
class shared_lanes
{
public:
    void push(starpu_task& task)
    {
        std::lock_guard lock(guard_);
        waiting_.push(kinds_of(task), &task);
        count_.store(waiting_.size(), std::memory_order_release);
        starpu_push_task_end(&task);
    }
    starpu_task* oldest(int worker)
    {
        return take(worker, [&](std::uint32_t kind, auto may_run) { return waiting_.take_oldest(kind, may_run); });
    }
    starpu_task* newest(int worker)
    {
        return take(worker, [&](std::uint32_t kind, auto may_run) { return waiting_.take_newest(kind, may_run); });
    }

private:
    template <class From>
    starpu_task* take(int worker, From from)
    {
        if (count_.load(std::memory_order_acquire) == 0) return nullptr;
        std::lock_guard lock(guard_);
        const auto task =
            from(kind_bit(starpu_worker_get_type(worker)), [&](starpu_task* t) { return can_run(worker, *t); });
        count_.store(waiting_.size(), std::memory_order_release);
        return task.value_or(nullptr);
    }

    mutex guard_;
    lanes<starpu_task*> waiting_;
    std::atomic<std::size_t> count_{0};
};

class smpss_policy
{
public:
    void add(std::span<const int> workers) { groups_.add(workers); }
    void remove(std::span<const int> workers) { groups_.remove(workers); }

    void push(starpu_task& task)
    {
        // Once it is in a queue the task may be run and gone.
        const std::uint32_t kinds = kinds_of(task);
        const int maker = starpu_worker_get_id(); // the worker that did the last of what it waited for
        if (task.priority > 0) high_.push(task);
        else if (maker >= 0 && can_run(maker, task)) own_[static_cast<std::size_t>(maker)].push(task);
        else normal_.push(task);
        wake_all(groups_, kinds);
    }

    starpu_task* pop(int worker)
    {
        if (starpu_task* t = high_.oldest(worker)) return t;
        if (starpu_task* t = own_[static_cast<std::size_t>(worker)].newest(worker)) return t;
        if (starpu_task* t = normal_.oldest(worker)) return t;
        return steal(worker);
    }

private:
    starpu_task* steal(int thief)
    {
        const unsigned n = starpu_worker_get_count();
        for (unsigned step = 1; step < n; ++step) // each looks at its neighbours first: not all at the same victim
            if (starpu_task* t = own_[(static_cast<unsigned>(thief) + step) % n].oldest(thief)) return t;
        return nullptr;
    }

    worker_groups groups_;
    shared_lanes high_, normal_;
    std::array<shared_lanes, STARPU_NMAXWORKERS> own_;
};

} // namespace

starpu_sched_policy& smpss()
{
    static starpu_sched_policy policy = adapted<smpss_policy>::make(
        "smpss", "own tasks newest first, common ones oldest first, priorities before both, stealing", false);
    return policy;
}

} // namespace skelrt::schedulers
