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
ticks now() { return std::chrono::steady_clock::now(); }

/// So long threads wait awake for the next region; calls that follow each other are seldom further apart. While another
/// one is late for a region's end they wait longer: on virtual machines whose host is busy, cores that fall asleep are
/// given to others, and regions would end late one after the other.
constexpr std::chrono::microseconds patience{200};

static_assert(STARPU_MAXCPUS <= core_set::most, "core_set is too small for this StarPU: let `most` be STARPU_MAXCPUS");

/// A region, as its members know it. Kept for good: who wakes a leader last may be late.
struct team_region {
    member_body body;                  ///< none: the helpers' end
    const core_set* present = nullptr; ///< members that take part; null: all
    int members = 0;                   ///< so many
    ticks begun;
    alignas(64) wake_word at_work; ///< helpers in the region
};

/// How a helper is called by itself. It looks at the team's regions, too, when it was called by no region.
struct alignas(64) helper_call {
    wake_word number; ///< so many calls
    std::atomic<team_region*> region{nullptr};
};

struct team_state {
    std::vector<int> cores;               ///< logical CPU of each worker, -1: unbound
    std::chrono::microseconds patience{}; ///< none where members share cores: waiting awake takes them from others
    std::vector<int> member_of;           ///< by worker; -1: of a GPU
    core_use use;
    core_guests guests;
    core_guests callers; ///< user's threads that lead, or did just now: where several do
    bool all_take_tasks = true;
    std::atomic<ticks> led_here_until{}; ///< so long a region led by a user's thread runs, or may be followed by one

    std::vector<std::thread> helpers; ///< all members but the leading thread
    std::mutex lead;                  ///< of who begins or ends to lead; for some hundred ns
    bool whole_is_led = false;        ///< somebody leads all members
    int last_leader = 0;              ///< the member whose place the leading thread had
    std::atomic<int> made_room = 0;   ///< the member whose helper is on the first one's core; 0: none is
    wake_word wholes_led;             ///< so far, to their ends
    alignas(64) wake_word regions;    ///< numbers those of all members: even; odd: helpers are called one by one
    team_region whole;                ///< beside its number: all that helpers want to know

    std::unique_ptr<helper_call[]> calls;  ///< to each helper
    std::unique_ptr<team_region[]> aparts; ///< by a member of theirs that has a helper
    alignas(64) wake_word tasks;          ///< submitted so far, by the library
    alignas(64) wake_word singles;        ///< tasks so far that any core may get
};
alignas(64) std::atomic<int> callers{0};
team_state& team = *new team_state; // never destroyed: a program may exit while a runtime, and its threads, live
constexpr int none = -1, unbound = -1;
[[gnu::tls_model("initial-exec")]] thread_local int held_here = none; ///< the core that the calling thread holds
[[gnu::tls_model("initial-exec")]] thread_local core_guests::lease lease_here, lease_of_caller;

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
    const int before = team.made_room;
    if (leader == before) return;
    send(before, before);
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

/// Whoever leads has its own core: if a guest was there, it is itself, or another one that has to wait.
core_set guests_but(int leader)
{
    if (!team.guests.may_be()) return {};
    core_set others = team.guests.all(now());
    others.remove(leader);
    return others;
}

/// Threads of the team's that wait there had better sleep.
bool is_guest_on(int member) { return team.guests.may_be_on(member) && team.guests.is_on(member, now()); }

/// In an odd time helpers are called one by one, by regions that go on beside each other; in an even one by its number.
bool calls_one_by_one(std::uint32_t region) { return region % 2 != 0; }

int member_of_helper(int number) { return number == team.made_room ? 0 : number; }

/// Whoever comes from a region is likely to be called again. Else who lost its core to others had better sleep.
std::chrono::microseconds patience_of(int member, bool comes_from_region)
{
    const bool sleeps = is_guest_on(member) || (!comes_from_region && team.use.is_taken(member));
    return sleeps ? std::chrono::microseconds{0} : team.patience;
}

void take_part(team_region& r, int member)
{
    r.body(r.present ? r.present->count_below(member) : member, r.members);
    comes_before(&r.at_work);
    if (r.at_work.add(-1u) == 0) r.at_work.wake(); // the last thing: its leader may be gone then
}

void regret_delay(std::chrono::nanoseconds away, const team_region& r)
{
    if (away.count() > 0) regret_giving_way(std::min<std::chrono::nanoseconds>(away, now() - r.begun));
}

/// Waits for a call, and takes part in the region that it came from; false: it came from none, or was answered before.
bool answer(helper_call& call, std::uint32_t& heard, int number, std::chrono::microseconds awake)
{
    const auto away = call.number.wait_while(heard, awake, [] { return false; });
    heard = call.number.load();
    team_region* const r = call.region.exchange(nullptr);
    comes_after(&call);
    if (!r) return false;
    regret_delay(away, *r);
    take_part(*r, member_of_helper(number));
    return true;
}

/// What a helper does all its life. No region that has called it ends before it came.
void help(int number, helper_call& call)
{
    bool comes_from_region = true;
    for (std::uint32_t seen = 0, heard = 0;;) {
        const auto awake = patience_of(member_of_helper(number), comes_from_region);
        const std::uint32_t region = team.regions.load();
        if (calls_one_by_one(region)) {
            comes_from_region = answer(call, heard, number, awake);
            continue;
        }
        if (region == seen) {
            const auto away = team.regions.wait_while(seen, awake, [] { return team.whole.at_work.load() > 0; });
            if (calls_one_by_one(team.regions.load())) continue;
            regret_delay(away, team.whole);
        }
        seen = team.regions.load();
        if (calls_one_by_one(seen)) continue;
        comes_after(&team.regions);
        if (!team.whole.body) return;
        take_part(team.whole, member_of_helper(number));
        comes_from_region = true;
    }
}

/// A helper looks for what there is to do.
void call(int helper, team_region* region)
{
    helper_call& c = team.calls[static_cast<std::size_t>(helper)];
    if (region) c.region.store(region);
    comes_before(&c);
    c.number.add(1);
    c.number.wake();
}

/// With all members, none of which is in a region.
void begin_whole(member_body body, int led_by)
{
    const int members = static_cast<int>(team.helpers.size()) + 1;
    make_room_for(led_by);
    team.whole.body = body;
    team.whole.members = members;
    team.whole.begun = now();
    team.whole.at_work.set(static_cast<std::uint32_t>(members - 1));
    comes_before(&team.regions);
    const std::uint32_t before = team.regions.load(), number = (before | 1) + 1;
    team.regions.add(number - before);
    team.regions.wake();
    if (!calls_one_by_one(before)) return;
    for (int k = 1; k < members; ++k) call(k, nullptr);
}

/// With the helpers of these members; the leader does its own member's part itself.
void begin_apart(team_region& region, member_body body, int led_by)
{
    region.body = body;
    region.begun = now();
    region.at_work.set(static_cast<std::uint32_t>(region.members - 1));
    const int elsewhere = team.made_room;
    for (int k = 1; k <= static_cast<int>(team.helpers.size()); ++k) {
        const int member = k == elsewhere ? 0 : k;
        if (member != led_by && region.present->has(member)) call(k, &region);
    }
}

void end_region(team_region& region)
{
    while (const std::uint32_t left = region.at_work.load())
        regret_giving_way(region.at_work.wait_while(left, team.patience, [] { return true; }));
    comes_after(&region.at_work);
}

/// From now on helpers are called one by one. Of who holds the right to begin.
void call_one_by_one()
{
    if (calls_one_by_one(team.regions.load())) return;
    team.regions.add(1);
    team.regions.wake();
}

/// All cores that are free, but those of guests; where others lead, too, no more than each of them may have.
core_set take_share(int leader, bool is_caller)
{
    const core_set others = guests_but(leader);
    if (!is_caller || !callers_meet()) return team.use.take_free(others);
    const int leaders = std::max(team.callers.all(now()).count(), 1);
    return team.use.take_free(others, leader, std::max(team.use.all().count() / leaders, 1));
}

/// Whether no task was submitted for so long that the program is likely to do something else: it is to have this core,
/// too.
bool is_idle_for_long() noexcept
{
    constexpr std::chrono::milliseconds long_time{20};
    thread_local ticks awake_until{};
    thread_local std::uint32_t seen = 0;
    if (const std::uint32_t tasks = team.tasks.load(); std::exchange(seen, tasks) != tasks)
        awake_until = now() + long_time;
    return now() >= awake_until;
}

/// False: there may be something to do.
bool rests_between_regions() noexcept
{
    constexpr std::chrono::milliseconds in_time_for_the_end{16};
    const bool led_here = now() < team.led_here_until.load(std::memory_order_relaxed) || is_guest_on(0);
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
    if (std::exchange(begun, schedulers::tasks_begun_here()) != begun) awake_until = now() + patience;
    if (const std::uint32_t tasks = team.singles.load(); std::exchange(seen, tasks) != tasks) return; // looks first
    if (now() < awake_until && !team.use.is_taken(member) && !is_guest_on(member)) {
        sched_yield();
        return;
    }
    team.singles.sleep_while(seen, longest);
    if (team.singles.load() != seen) awake_until = now() + patience;
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
    team.use.reset(static_cast<int>(cpu_workers.size()));
    team.guests.reset();
    team.callers.reset();
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
    team.whole_is_led = false;
    const int members = static_cast<int>(team.cores.size());
    team.calls = std::make_unique<helper_call[]>(team.cores.size());
    team.aparts = std::make_unique<team_region[]>(team.cores.size());
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
    begin_whole({}, 0);
    for (std::thread& t : team.helpers) t.join();
    team.helpers.clear();
    team.cores.clear();
}

team_lead::team_lead(leader who) noexcept : here_(who == leader::caller)
{
    if (here_) led_by_ = member_here();
    if (here_ && callers_meet()) team.callers.stay(lease_of_caller, led_by_, now() + patience); // also where it may not
    std::unique_lock lock(team.lead);
    while (team.whole_is_led) {
        if (here_) return;
        const std::uint32_t led = team.wholes_led.load();
        lock.unlock();
        team.wholes_led.wait_while(led, team.patience, [] { return true; });
        lock.lock();
    }
    leads_ = true;
    taken_ = take_share(led_by_, here_);
    core_set mine = taken_;
    if (held_here != none) mine.add(held_here);
    whole_ = team.whole_is_led = mine == team.use.all();
    present_ = mine;
    present_.add(led_by_);
    // Sending helpers elsewhere takes longer than a short region: whoever leads now and then does without the member
    // that has no helper while the place is another one's.
    const bool again = std::exchange(team.last_leader, led_by_) == led_by_;
    if (!whole_) {
        if (again && mine.has(0) && mine.has(led_by_) && mine.has(team.made_room)) make_room_for(led_by_);
        if (led_by_ != team.made_room) present_.remove(team.made_room);
        if (present_.count() > 1) call_one_by_one();
    }
    members_ = present_.count();
}

team_lead::~team_lead()
{
    if (!leads_) return;
    team.use.give_back(taken_);
    if (!whole_) return;
    const std::lock_guard lock(team.lead);
    team.whole_is_led = false;
    team.wholes_led.add(1);
    team.wholes_led.wake();
}

void team_lead::run_apart(member_body body) noexcept
{
    const int first = present_.first_but(led_by_);
    if (first == none) return body(0, 1);
    team_region& region = team.aparts[static_cast<std::size_t>(first)];
    region.present = &present_;
    region.members = members_;
    begin_apart(region, body, led_by_);
    body(present_.count_below(led_by_), members_);
    end_region(region);
}

void team_lead::run(member_body body) noexcept
{
    if (here_) team.led_here_until.store(ticks::max(), std::memory_order_relaxed);
    if (whole_) {
        begin_whole(body, led_by_);
        body(led_by_, members_);
        end_region(team.whole);
    } else {
        run_apart(body);
    }
    if (!here_) return;
    const ticks until = now() + patience;
    team.led_here_until.store(until, std::memory_order_relaxed);
    if (!callers_meet()) return;
    stay_until(find_member_here(), until); // it may lead again, or go on by itself
    team.callers.stay(lease_of_caller, led_by_, until);
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
    stay_until(find_member_here(), now() + as_long_as_it_takes);
}
as_guest::~as_guest() { stay_until(find_member_here(), now() + patience); }
void leave_as_guest() noexcept
{
    team.guests.go(lease_here);
    team.callers.go(lease_of_caller);
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
