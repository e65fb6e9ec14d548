#include "src/runtime/team.hpp"

#include "schedulers/policies.hpp"
#include "schedulers/tsan_order.hpp"
#include "src/runtime/give_way.hpp"
#include "src/runtime/wake_word.hpp"

#include <hwloc.h>
#include <pthread.h>
#include <sched.h>
#include <starpu.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <thread>
#include <utility>

namespace skelrt::detail
{

namespace
{

using ticks = std::chrono::steady_clock::time_point;
ticks now() { return std::chrono::steady_clock::now(); }

/// So long threads wait awake for the next region; calls that follow each other are seldom further apart. While another one is late for
/// a region's end they wait longer: on virtual machines whose host is busy, cores that fall asleep are given to others, and regions
/// would end late one after the other.
constexpr std::chrono::microseconds patience{200};

struct team_state {
    std::vector<int> cores;               ///< logical CPU of each worker, -1: unbound
    std::chrono::microseconds patience{}; ///< none where members share cores: waiting awake takes them from others
    int leader = -1;
    bool all_take_tasks = true;
    std::atomic<int> running{0};
    std::atomic<ticks> led_here_until{}; ///< so long a region led by a user's thread runs, or may be followed by one
    std::mutex lead;                     ///< one region at a time: there are only so many cores

    std::vector<std::thread> helpers; ///< all members but the leading thread
    alignas(64) wake_word regions;    ///< begun so far; what follows is all that helpers want to know, on the same line
    member_body body;                 ///< of the region; none: the helpers' end
    int members = 0;
    int led_by = 0;                ///< the member whose place the leading thread has
    ticks begun;                   ///< when the region did
    alignas(64) wake_word at_work; ///< helpers in the region

    alignas(64) wake_word tasks; ///< submitted so far, by the library
};
team_state& team = *new team_state; // never destroyed: a program may exit while a runtime, and its threads, live
[[gnu::tls_model("initial-exec")]] thread_local bool user_code = false; // asked by every call

/// Sends the helper of this number to the core of a member. Member 0 has none.
void send(int helper, int to_member)
{
    const int core = team.cores[static_cast<std::size_t>(to_member)];
    if (helper == 0 || core < 0) return;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(core, &set);
    pthread_setaffinity_np(team.helpers[static_cast<std::size_t>(helper - 1)].native_handle(), sizeof set, &set);
}

/// Where the user's thread that leads sits on a helper's core, that one goes to the first member's. It is sent: by itself it could go
/// when it has that core, after the leader's part of the region.
void make_room_for(int leader)
{
    if (leader == team.led_by) return;
    send(team.led_by, team.led_by);
    send(leader, 0);
    team.led_by = leader;
}

/// The member whose core the calling thread is on; the first if it is on none.
int member_here()
{
    const auto it = std::ranges::find(team.cores, sched_getcpu());
    return it == team.cores.end() ? 0 : static_cast<int>(it - team.cores.begin());
}

/// What a helper does all its life.
void help(int number)
{
    for (std::uint32_t seen = 0;; ++seen) {
        const auto away = team.regions.wait_while(seen, team.patience, [] { return team.at_work.load() > 0; });
        comes_after(&team.regions);
        if (!team.body) return;
        if (away.count() > 0) regret_giving_way(std::min<std::chrono::nanoseconds>(away, now() - team.begun));
        const int member = number == team.led_by ? 0 : number;
        team.body(member, team.members);
        comes_before(&team.at_work);
        if (team.at_work.add(-1u) == 0) team.at_work.wake();
    }
}

void begin_region(member_body body, int led_by)
{
    team.body = body;
    make_room_for(led_by);
    team.begun = now();
    team.at_work.set(static_cast<std::uint32_t>(team.helpers.size()));
    comes_before(&team.regions);
    team.regions.add(1);
    team.regions.wake();
}

void run_region(member_body body, int led_by)
{
    begin_region(body, led_by);
    body(led_by, team.members);
    while (const std::uint32_t left = team.at_work.load())
        regret_giving_way(team.at_work.wait_while(left, team.patience, [] { return true; }));
    comes_after(&team.at_work);
}

/// False: there may be something to do.
bool rests_between_regions() noexcept
{
    constexpr std::chrono::milliseconds in_time_for_the_end{16};
    if (now() >= team.led_here_until.load(std::memory_order_relaxed)) return false;
    // First the number, then the look at how many are left: whoever submits changes it afterwards.
    const std::uint32_t tasks = team.tasks.load();
    if (starpu_task_nsubmitted() > 0) return false;
    team.tasks.sleep_while(tasks, in_time_for_the_end);
    return true;
}

/// Counts the program's own tasks: workers that sleep look for them.
wake_word own_tasks;

void wake_sleepers() noexcept
{
    own_tasks.add(1);
    own_tasks.wake();
}

/// Of a worker that gets no tasks but the program's own, and whose core the team needs: it sleeps until there is one. Those that the
/// program gave to this very worker come without a word, and so does the runtime's end: it wakes up now and then, and soon while
/// tasks come.
void nap() noexcept
{
    constexpr std::chrono::milliseconds shortest{1}, longest{16};
    thread_local std::chrono::milliseconds length = shortest;
    thread_local unsigned begun = 0;
    thread_local std::uint32_t seen = 0;
    if (std::exchange(begun, schedulers::tasks_begun_here()) != begun) length = shortest;
    if (const std::uint32_t tasks = own_tasks.load(); std::exchange(seen, tasks) != tasks) return; // looks again first
    own_tasks.sleep_while(seen, length);
    length = std::min(2 * length, longest);
}

} // namespace

void start_team(const std::vector<int>& cpu_workers, bool all_take_tasks)
{
    team.leader = cpu_workers.front();
    team.all_take_tasks = all_take_tasks;
    schedulers::call_for_own_tasks(&wake_sleepers);
    team.cores.clear();
    for (int worker : cpu_workers) {
        hwloc_cpuset_t set = starpu_worker_get_hwloc_cpuset(worker);
        // A worker that StarPU did not bind may run anywhere: so may its thread of the team.
        team.cores.push_back(hwloc_bitmap_weight(set) == 1 ? hwloc_bitmap_first(set) : -1);
        hwloc_bitmap_free(set);
    }
    std::vector<int> different = team.cores;
    std::ranges::sort(different);
    const bool own_cores = different.front() >= 0 && std::ranges::adjacent_find(different) == different.end();
    team.patience = own_cores ? patience : std::chrono::microseconds{0};
    threads_share_cores(!own_cores);
    team.regions.set(0);
    team.led_by = 0;
    team.members = static_cast<int>(team.cores.size());
    try {
        for (int k = 1; k < team.members; ++k) {
            team.helpers.emplace_back(help, k);
            send(k, k);
        }
    } catch (...) {
        stop_team();
        throw;
    }
}

void stop_team() noexcept
{
    schedulers::call_for_own_tasks(nullptr);
    begin_region({}, 0);
    for (std::thread& t : team.helpers) t.join();
    team.helpers.clear();
    team.cores.clear();
}

void run_team(member_body body) noexcept
{
    const std::lock_guard lock(team.lead);
    team.running.store(1, std::memory_order_release);
    run_region(body, 0);
    team.running.store(0, std::memory_order_release);
    team.running.notify_all();
}

bool run_team_here(member_body body) noexcept
{
    const auto lead = try_to_lead_team();
    return lead && run_led_team(body);
}

std::unique_lock<std::mutex> try_to_lead_team() noexcept { return std::unique_lock(team.lead, std::try_to_lock); }

bool run_led_team(member_body body) noexcept
{
    team.led_here_until.store(ticks::max(), std::memory_order_relaxed);
    run_region(body, member_here());
    team.led_here_until.store(now() + patience, std::memory_order_relaxed);
    return true;
}

in_user_code::in_user_code() noexcept : before_(std::exchange(user_code, true)) {}

in_user_code::~in_user_code() { user_code = before_; }

bool inside_user_code() noexcept { return user_code; }

void idle_worker() noexcept
{
    const bool may_get_tasks = team.all_take_tasks || starpu_worker_get_id() == team.leader;
    if (team.running.load(std::memory_order_acquire)) {
        team.running.wait(1);
    } else if (!may_get_tasks) {
        nap();
    } else if (!rests_between_regions()) {
        sched_yield();
    }
}

void rouse_worker() noexcept
{
    team.tasks.add(1);
    team.tasks.wake();
}

} // namespace skelrt::detail
