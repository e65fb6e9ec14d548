#include "src/runtime/team.hpp"

#include "src/runtime/order.hpp"

#include <hwloc.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <starpu.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <mutex>

namespace skelrt::detail
{

namespace
{

struct team_state {
    std::vector<int> cores; ///< logical CPU of each worker, -1: unbound
    int leader = -1;
    bool all_take_tasks = true;
    bool pinned = false;
    std::atomic<int> running{0};
    std::atomic<bool> led_here{false}; ///< a region runs, led by a thread of the user's
    std::mutex lead;                   ///< one region at a time: there are only so many cores
    const std::function<void(int, int)>* body = nullptr;
};
team_state team;
thread_local bool user_code = false;

void pin_to(int core)
{
    if (core < 0) return;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

/// Of a user's thread: sends one of its team's threads to a core, unless it is there already.
void stay_on(int core)
{
    thread_local int at = -1;
    if (core != at) pin_to(core);
    at = core;
}

/// The team's thread whose core the calling thread is on; the first if it is on none.
int member_here()
{
    const auto it = std::ranges::find(team.cores, sched_getcpu());
    return it == team.cores.end() ? 0 : static_cast<int>(it - team.cores.begin());
}

/// libgomp's threads inherit the leader's mask, one core: each must be sent to its own, once.
void pin_threads()
{
#pragma omp parallel num_threads(static_cast <int>(team.cores.size()))
    {
        const int t = omp_get_thread_num();
        if (t > 0) pin_to(team.cores[static_cast<std::size_t>(t)]);
    }
    team.pinned = true;
}

} // namespace

void start_team(const std::vector<int>& cpu_workers, bool all_take_tasks)
{
    team.leader = cpu_workers.front();
    team.all_take_tasks = all_take_tasks;
    team.cores.clear();
    for (int worker : cpu_workers) {
        hwloc_cpuset_t set = starpu_worker_get_hwloc_cpuset(worker);
        // A worker that StarPU did not bind may run anywhere: so may its thread of the team.
        team.cores.push_back(hwloc_bitmap_weight(set) == 1 ? hwloc_bitmap_first(set) : -1);
        hwloc_bitmap_free(set);
    }
    team.pinned = false;
}

void stop_team() noexcept { team.cores.clear(); }

void run_team(const std::function<void(int, int)>& body) noexcept
{
    const std::lock_guard lock(team.lead);
    const int threads = static_cast<int>(team.cores.size());
    team.running.store(1, std::memory_order_release);
    if (!team.pinned) pin_threads();
    team.body = &body;
    comes_before(&team);
#pragma omp parallel num_threads(threads)
    {
        comes_after(&team);
        (*team.body)(omp_get_thread_num(), omp_get_num_threads());
        comes_before(&team.body);
    }
    comes_after(&team.body);
    team.running.store(0, std::memory_order_release);
    team.running.notify_all();
}

bool run_team_here(const std::function<void(int, int)>& body) noexcept
{
    const std::unique_lock lock(team.lead, std::try_to_lock);
    if (!lock) return false;
    const int threads = static_cast<int>(team.cores.size()), here = member_here();
    team.led_here.store(true, std::memory_order_relaxed);
    team.body = &body;
    comes_before(&team);
#pragma omp parallel num_threads(threads)
    {
        comes_after(&team);
        const int thread = omp_get_thread_num();
        const int member = thread == 0 ? here : thread == here ? 0 : thread;
        if (thread > 0) stay_on(team.cores[static_cast<std::size_t>(member)]);
        (*team.body)(member, omp_get_num_threads());
        comes_before(&team.body);
    }
    comes_after(&team.body);
    team.led_here.store(false, std::memory_order_relaxed);
    return true;
}

in_user_code::in_user_code() noexcept { user_code = true; }

in_user_code::~in_user_code() { user_code = false; }

bool inside_user_code() noexcept { return user_code; }

void idle_worker() noexcept
{
    if (team.running.load(std::memory_order_acquire)) {
        team.running.wait(1);
    } else if (team.led_here.load(std::memory_order_relaxed)) {
        // More such regions will follow, without a task: they should not wake anybody.
        constexpr timespec nap{0, 50'000};
        nanosleep(&nap, nullptr);
    } else if (team.all_take_tasks || starpu_worker_get_id() == team.leader) {
        sched_yield();
    } else {
        // Nothing will come for this worker, whose core the team needs: wake up seldom, but in time for the runtime's end.
        constexpr long shortest_ns = 1'000'000, longest_ns = 16'000'000;
        thread_local long nap_ns = shortest_ns;
        const timespec nap{0, nap_ns};
        nanosleep(&nap, nullptr);
        nap_ns = std::min(2 * nap_ns, longest_ns);
    }
}

} // namespace skelrt::detail
