// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/cores/team.hpp"

#include "schedulers/policies.hpp"
#include "schedulers/tsan_order.hpp"
#include "src/runtime/cores/give_way.hpp"
#include "src/runtime/cores/wake_word.hpp"

#include <hwloc.h>
#include <pthread.h>
#include <sched.h>
#include <starpu.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <climits>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace skelrt::detail
{

namespace
{

using ticks = core_guests::ticks;
ticks ticks_now() { return std::chrono::steady_clock::now(); }

/// So long threads wait awake for the next region; calls that follow each other are seldom further apart. While another
/// one is late for a region's end they wait longer: on virtual machines whose host is busy, cores that fall asleep are
/// given to others, and regions would end late one after the other.
constexpr std::chrono::microseconds patience{200};

static_assert(STARPU_MAXCPUS <= core_set::most, "core_set is too small for this StarPU: let `most` be STARPU_MAXCPUS");

struct team_state {
    std::vector<int> cores;               ///< logical CPU of each worker, -1: unbound
    cpu_set_t anywhere{};                 ///< where the thread may run that began it
    std::chrono::microseconds patience{}; ///< none where members share cores: waiting awake takes them from others
    std::vector<int> member_of;           ///< by worker; -1: of a GPU
    core_use use;
    core_guests guests;
    bool all_take_tasks = true;
    std::atomic<ticks> led_here_until{}; ///< so long a region led by a user's thread runs, or may be followed by one
    std::mutex lead;                     ///< one region at a time: there are only so many cores

    std::vector<std::thread> helpers; ///< all members but the leading thread
    bool left_some_out = false;       ///< the last region did
    int last_leader = 0;              ///< the member whose place the leading thread had
    alignas(64) wake_word regions;    ///< numbers them; what follows is all that helpers want to know, on the same line
    member_body body;                 ///< of the region; none: the helpers' end
    const core_set* present = nullptr; ///< members of the region; null: all
    int members = 0;                   ///< so many
    int made_room = 0;                 ///< the member whose helper is on the first one's core; 0: none is
    ticks begun;                       ///< when the region did
    alignas(64) wake_word at_work;     ///< helpers in the region

    std::unique_ptr<wake_word[]> calls; ///< to each helper: the last region that called it by itself
    alignas(64) wake_word tasks;        ///< submitted so far, by the library
    alignas(64) wake_word singles;      ///< tasks so far that any core may get
};
alignas(64) std::atomic<int> callers{0};
team_state& team = *new team_state; // never destroyed: a program may exit while a runtime, and its threads, live
constexpr int none = -1, unbound = -1;
[[gnu::tls_model("initial-exec")]] thread_local int held_here = none; ///< the core that the calling thread holds
[[gnu::tls_model("initial-exec")]] thread_local core_guests::lease lease_here;

void bind(pthread_t thread, int cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    pthread_setaffinity_np(thread, sizeof set, &set);
}

/// Sends the helper of this number to the core of a member. Member 0 has none.
void send(int helper, int to_member)
{
    const int core = team.cores[static_cast<std::size_t>(to_member)];
    if (helper == 0 || core < 0) return;
    bind(team.helpers[static_cast<std::size_t>(helper - 1)].native_handle(), core);
}

/// Where the user's thread that leads sits on a helper's core, that one goes to the first member's. It is sent: by
/// itself it could go when it has that core, after the leader's part of the region.
void make_room_for(int leader)
{
    if (leader == team.made_room) return;
    send(team.made_room, team.made_room);
    send(leader, 0);
    team.made_room = leader;
}

/// The member whose core the calling thread is on, if it is on one.
int find_member_here()
{
    if (held_here != none) return held_here;
    const auto it = std::ranges::find(team.cores, sched_getcpu());
    return it == team.cores.end() ? none : static_cast<int>(it - team.cores.begin());
}

/// The first if it is on none.
int member_here() { return std::max(find_member_here(), 0); }

/// What the calling thread holds is its own, and it needs no lease.
void stay_until(int member, ticks end)
{
    if (held_here == none && member != none) team.guests.stay(lease_here, member, end);
}

/// Whether a core for each thread that makes calls is little.
bool are_many_cores()
{
    constexpr std::size_t many = 4, part = 8;
    const auto threads = static_cast<std::size_t>(std::max(callers.load(std::memory_order_relaxed), 1));
    return team.cores.size() >= (threads == 1 ? many : part * threads);
}

/// Whoever leads has its own core: if a guest was there, it is itself, or another one that has to wait.
core_set guests_but(int leader)
{
    if (!team.guests.may_be()) return {};
    core_set others = team.guests.all(ticks_now());
    others.remove(leader);
    return others;
}

/// Threads of the team's that wait there had better sleep.
bool is_guest_on(int member) { return team.guests.may_be_on(member) && team.guests.is_on(member, ticks_now()); }

/// Regions have even numbers if all members take part, odd ones if those do that are called.
bool leaves_some_out(std::uint32_t region) { return region % 2 != 0; }
std::uint32_t number_after(std::uint32_t region, bool leaves_out) { return (region | 1) + 1 + (leaves_out ? 1 : 0); }

int member_of_helper(int number) { return number == team.made_room ? 0 : number; }

/// Whether a helper was called for a region that has not its number yet.
bool comes_next(std::uint32_t called, std::uint32_t region) { return static_cast<std::int32_t>(called - region) > 0; }

/// Returns when the helper is in a region, which cannot end without it, and that one's number. Who is left out sleeps
/// until it is called: a task or a guest has its core. It must not look at anything else, for the next region may be on
/// its way. The leader calls before the region has its number, so whoever sees the number knows whether it is called,
/// and who is called stays awake.
std::uint32_t join_region(wake_word& calls)
{
    std::uint32_t region = team.regions.load();
    while (leaves_some_out(region)) {
        const std::uint32_t called = calls.load();
        if (called == region) break;
        if (comes_next(called, region)) team.regions.wait_while(region, team.patience, [] { return true; });
        else calls.wait_while(called, {}, [] { return false; });
        region = team.regions.load();
    }
    return region;
}

[[gnu::noinline]] void touch(volatile char* pages, std::size_t bytes)
{
    constexpr std::size_t page = 4096;
    for (std::size_t i = 0; i < bytes; i += page) pages[i] = 0;
}

/// The thread's first pages: of its stack, and of the heap that the C library makes for it. All members would ask the
/// system for theirs at once, in the program's first region, and wait for each other there.
void touch_first_pages()
{
    constexpr std::size_t bytes = std::size_t{64} << 10;
    char stack[bytes];
    touch(stack, bytes);
    const std::unique_ptr<char[]> heap(new char[bytes]);
    touch(heap.get(), bytes);
}

/// What a helper does all its life.
void help(int number, wake_word& calls)
{
    touch_first_pages();
    int member = number;
    for (std::uint32_t seen = 0;;) {
        const auto awake = is_guest_on(member) ? std::chrono::microseconds{0} : team.patience;
        const auto away = team.regions.wait_while(seen, awake, [] { return team.at_work.load() > 0; });
        seen = join_region(calls);
        comes_after(&team.regions);
        if (!team.body) return;
        if (away.count() > 0) regret_giving_way(std::min<std::chrono::nanoseconds>(away, ticks_now() - team.begun));
        member = member_of_helper(number);
        team.body(team.present ? team.present->count_below(member) : member, team.members);
        comes_before(&team.at_work);
        if (team.at_work.add(-1u) == 0) team.at_work.wake();
    }
}

/// Those of the region, which may sleep because they were left out. The leader does its member's part itself.
void call_helpers(std::uint32_t region, int leader)
{
    for (int k = 1; k <= static_cast<int>(team.helpers.size()); ++k) {
        const int member = member_of_helper(k);
        if (team.present && (member == leader || !team.present->has(member))) continue;
        wake_word& calls = team.calls[static_cast<std::size_t>(k)];
        calls.add(region - calls.load());
        calls.wake();
    }
}

/// `present`: the members that take part; null: all.
void begin_region(member_body body, int led_by, const core_set* present, int members)
{
    team.body = body;
    team.present = present;
    team.members = members;
    if (!present || present->has(team.made_room)) make_room_for(led_by);
    team.begun = ticks_now();
    team.at_work.set(static_cast<std::uint32_t>(members - 1));
    comes_before(&team.regions);
    const std::uint32_t before = team.regions.load(), number = number_after(before, present != nullptr);
    if (present || team.left_some_out) call_helpers(number, led_by);
    team.left_some_out = present != nullptr;
    team.regions.add(number - before);
    team.regions.wake();
}

void end_region()
{
    while (const std::uint32_t left = team.at_work.load())
        regret_giving_way(team.at_work.wait_while(left, team.patience, [] { return true; }));
    comes_after(&team.at_work);
}

/// Whether no task was submitted for so long that the program is likely to do something else: it is to have this core,
/// too.
bool is_idle_for_long() noexcept
{
    constexpr std::chrono::milliseconds long_time{20};
    thread_local ticks awake_until{};
    thread_local std::uint32_t seen = 0;
    if (const std::uint32_t tasks = team.tasks.load(); std::exchange(seen, tasks) != tasks)
        awake_until = ticks_now() + long_time;
    return ticks_now() >= awake_until;
}

/// False: there may be something to do.
bool rests_between_regions() noexcept
{
    constexpr std::chrono::milliseconds in_time_for_the_end{16};
    const bool led_here = ticks_now() < team.led_here_until.load(std::memory_order_relaxed) || is_guest_on(0);
    if (!led_here && !is_idle_for_long()) return false;
    // First the number, then the look at how many are left: whoever submits changes it afterwards.
    const std::uint32_t tasks = team.tasks.load();
    if (starpu_task_nsubmitted() > 0) return false;
    team.tasks.sleep_while(tasks, in_time_for_the_end);
    return true;
}

/// Of a worker that is there for single tasks. Those that the program gave to this very worker in ways that nobody
/// tells, and what else StarPU wants of it, wait until it wakes up by itself.
void rest(int member) noexcept
{
    constexpr std::chrono::milliseconds longest{16};
    thread_local ticks awake_until{};
    thread_local unsigned begun = 0;
    thread_local std::uint32_t seen = 0;
    if (std::exchange(begun, schedulers::tasks_begun_here()) != begun) awake_until = ticks_now() + patience;
    if (const std::uint32_t tasks = team.singles.load(); std::exchange(seen, tasks) != tasks) return; // looks first
    if (ticks_now() < awake_until && !team.use.is_taken(member) && !is_guest_on(member)) {
        sched_yield();
        return;
    }
    team.singles.sleep_while(seen, longest);
    if (team.singles.load() != seen) awake_until = ticks_now() + patience;
}

int member_of(int worker) { return team.member_of[static_cast<std::size_t>(worker)]; }

bool take_core(int worker) noexcept { return team.use.take(member_of(worker)); }
void leave_core(int worker) noexcept { team.use.leave(member_of(worker)); }
void wake_for_singles(int tasks) noexcept
{
    team.singles.add(1);
    if (team.singles.wake(tasks) < tasks) rouse_worker();
}
constexpr schedulers::core_keeper keeper{&take_core, &leave_core, &wake_for_singles};

} // namespace

void start_team(const std::vector<int>& cpu_workers, bool all_take_tasks)
{
    team.all_take_tasks = all_take_tasks;
    team.member_of.assign(starpu_worker_get_count(), -1);
    for (std::size_t k = 0; k < cpu_workers.size(); ++k)
        team.member_of[static_cast<std::size_t>(cpu_workers[k])] = static_cast<int>(k);
    pthread_getaffinity_np(pthread_self(), sizeof team.anywhere, &team.anywhere);
    team.use.reset(static_cast<int>(cpu_workers.size()));
    team.guests.reset();
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
    team.made_room = team.last_leader = 0;
    team.left_some_out = false;
    const int members = static_cast<int>(team.cores.size());
    team.calls = std::make_unique<wake_word[]>(team.cores.size());
    try {
        for (int k = 1; k < members; ++k) {
            team.helpers.emplace_back(help, k, std::ref(team.calls[static_cast<std::size_t>(k)]));
            send(k, k);
        }
    } catch (...) {
        stop_team();
        throw;
    }
    schedulers::set_core_keeper(&keeper);
}

void stop_team() noexcept
{
    schedulers::set_core_keeper(nullptr);
    begin_region({}, 0, nullptr, static_cast<int>(team.helpers.size()) + 1);
    for (std::thread& t : team.helpers) t.join();
    team.helpers.clear();
    team.cores.clear();
}

team_lead::team_lead(leader who) noexcept : lead_(team.lead, std::defer_lock), here_(who == leader::caller)
{
    if (!here_) lead_.lock();
    else if (!lead_.try_lock()) return;
    else led_by_ = member_here();
    present_ = taken_ = team.use.take_free(guests_but(led_by_));
    present_.add(led_by_);
    has_all_ = (held_here == none ? taken_ : present_) == team.use.all(); // what the leader holds it has
    all_present_ = present_ == team.use.all();
    has_most_ = 10 * present_.count() >= 9 * team.use.all().count();
    // Sending helpers elsewhere takes longer than a short region: whoever leads now and then does without the member
    // that has no helper while the place is another one's.
    if (std::exchange(team.last_leader, led_by_) != led_by_ && !all_present_ && led_by_ != team.made_room)
        present_.remove(team.made_room);
    members_ = all_present_ ? static_cast<int>(team.cores.size()) : present_.count();
}

team_lead::~team_lead()
{
    if (lead_.owns_lock()) team.use.give_back(taken_);
}

void team_lead::run(member_body body) noexcept
{
    if (here_) team.led_here_until.store(ticks::max(), std::memory_order_relaxed);
    begin_region(body, led_by_, all_present_ ? nullptr : &present_, members_);
    body(all_present_ ? led_by_ : present_.count_below(led_by_), members_);
    end_region();
    if (!here_) return;
    const ticks until = ticks_now() + patience;
    team.led_here_until.store(until, std::memory_order_relaxed);
    if (callers_meet()) stay_until(find_member_here(), until); // it may lead again, or go on by itself
}

void caller_comes() noexcept { callers.fetch_add(1, std::memory_order_relaxed); }
void caller_goes() noexcept
{
    leave_as_guest();
    callers.fetch_sub(1, std::memory_order_relaxed);
}
bool callers_meet() noexcept { return callers.load(std::memory_order_relaxed) > 1; }

as_guest::as_guest() noexcept
{
    constexpr std::chrono::hours as_long_as_it_takes{24}; // nobody else's lease ends in the same tick
    stay_until(find_member_here(), ticks_now() + as_long_as_it_takes);
}
as_guest::~as_guest() { stay_until(find_member_here(), ticks_now() + patience); }
void leave_as_guest() noexcept { team.guests.go(lease_here); }

void caller_is_here() noexcept
{
    if (are_many_cores()) stay_until(find_member_here(), ticks_now() + patience);
}

void caller_sleeps() noexcept
{
    if (!are_many_cores()) leave_as_guest();
}

bool held_core::take() noexcept
{
    if (core_ != none) return true;
    thread_local int pinned_to = none; // a logical CPU
    constexpr std::size_t worth_it = 3;
    const bool bound = std::ranges::find(team.cores, unbound) == team.cores.end();
    if (team.cores.size() < worth_it || !bound) return true;
    core_ = held_here = team.use.take_last_free();
    if (core_ == none) return false;
    const int cpu = team.cores[static_cast<std::size_t>(core_)];
    if (std::exchange(pinned_to, cpu) != cpu) bind(pthread_self(), cpu);
    return true;
}

void held_core::leave() noexcept
{
    if (core_ == none) return;
    team.use.give_back(std::exchange(core_, none));
    held_here = none;
}

bool held_core::is_wanted() const noexcept { return core_ != none && team.use.is_wanted(core_); }

int free_cores() noexcept { return team.use.count_free(); }

void run_anywhere() noexcept { pthread_setaffinity_np(pthread_self(), sizeof team.anywhere, &team.anywhere); }

in_user_code::in_user_code() noexcept : before_(std::exchange(runs_user_code, true)) {}

in_user_code::~in_user_code() { runs_user_code = before_; }

void idle_worker() noexcept
{
    const int member = member_of(starpu_worker_get_id());
    if (member < 0) return;
    if (team.use.waits_for(member)) team.use.await(member);
    else if (member > 0 && !team.all_take_tasks) rest(member);
    else if (!rests_between_regions()) sched_yield();
}

void wake_workers() noexcept { wake_for_singles(INT_MAX); }

void rouse_worker() noexcept
{
    team.tasks.add(1);
    team.tasks.wake();
}

} // namespace skelrt::detail
