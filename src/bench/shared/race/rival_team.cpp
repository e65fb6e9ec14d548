// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/shared/race/rival_team.hpp"

#include <hwloc.h>
#include <hwloc/glibc-sched.h>
#include <omp.h>
#include <skelrt/runtime.hpp>
#include <starpu.h>

#include <chrono>
#include <stdexcept>
#include <utility>

#include <pthread.h>

namespace bench
{
namespace
{

/// The cores of StarPU's CPU workers; an empty set for a worker that is not bound.
std::vector<cpu_set_t> worker_cores()
{
    std::vector<int> ids(starpu_cpu_worker_get_count());
    starpu_worker_get_ids_by_type(STARPU_CPU_WORKER, ids.data(), static_cast<unsigned>(ids.size()));
    hwloc_topology_t topology = starpu_get_hwloc_topology();
    std::vector<cpu_set_t> cores(ids.size());
    for (std::size_t k = 0; k < ids.size(); ++k) {
        CPU_ZERO(&cores[k]);
        hwloc_cpuset_t set = starpu_worker_get_hwloc_cpuset(ids[k]);
        if (!set) continue;
        hwloc_cpuset_to_glibc_sched_affinity(topology, set, &cores[k], sizeof(cpu_set_t));
        hwloc_bitmap_free(set);
    }
    return cores;
}

/// OpenMP threads go on polling for up to some 15 ms after a loop; the next contestant starts when they sleep.
void let_others_fall_asleep() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

} // namespace

rival_team::rival_team() : rival_team(worker_cores()) {}

rival_team::rival_team(std::vector<cpu_set_t> cores) : cores_(std::move(cores)), thread_([this] { serve(); })
{
    if (cores_.empty()) cores_.resize(1);
    run([this] { pin_all(); });
}

rival_team::~rival_team()
{
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void rival_team::pin_all() const
{
#pragma omp parallel num_threads(threads())
    {
        const cpu_set_t& core = cores_[static_cast<std::size_t>(omp_get_thread_num())];
        if (CPU_COUNT(&core) > 0) pthread_setaffinity_np(pthread_self(), sizeof core, &core);
    }
}

void rival_team::serve()
{
    std::unique_lock lock(mutex_);
    while (!stop_) {
        if (work_) {
            try {
                (*work_)();
            } catch (...) {
                error_ = std::current_exception();
            }
            work_ = nullptr;
            changed_.notify_all();
        }
        changed_.wait(lock, [this] { return work_ || stop_; });
    }
}

void rival_team::run(const std::function<void()>& work)
{
    if (std::this_thread::get_id() == thread_.get_id()) return work();
    std::unique_lock lock(mutex_);
    work_ = &work;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !work_; });
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void rival_team::run_alone(const std::function<void()>& work)
{
    const paused_starpu quiet;
    run(work);
}

paused_starpu::paused_starpu() : running_(skelrt::runtime::running())
{
    if (running_) starpu_pause();
    let_others_fall_asleep();
}

paused_starpu::~paused_starpu()
{
    let_others_fall_asleep();
    if (running_) starpu_resume();
}

} // namespace bench
