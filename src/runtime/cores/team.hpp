// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/runtime/cores/cores.hpp"

#include <skelrt/detail/user_code.hpp>

#include <concepts>
#include <cstdint>
#include <mutex>
#include <vector>

/// All CPU cores as one device: threads that sit on the cores of the CPU workers. They are the library's own. OpenMP's
/// would count against the program's: as soon as all teams together have more threads than the machine has cores,
/// libgomp's barriers, the program's as well, let threads sleep after a microsecond.
namespace skelrt::detail
{

/// What the members of a team do, as body(member, members), by reference: a region ends before whoever made it does. (A
/// std::function allocates memory for what it refers to.)
class member_body
{
public:
    member_body() = default; ///< of nobody
    template <std::invocable<int, int> Body>
    member_body(const Body& body) noexcept
        : body_(&body), run_([](const void* b, int k, int n) { (*static_cast<const Body*>(b))(k, n); })
    {
    }
    explicit operator bool() const noexcept { return run_ != nullptr; }
    void operator()(int member, int members) const { run_(body_, member, members); }

private:
    const void* body_ = nullptr;
    void (*run_)(const void*, int, int) = nullptr;
};

/// Prepares the team for these CPU workers; the first one leads. `all_take_tasks`: single tasks go to every worker (a
/// policy places them), not only to those that look for them. Throws std::system_error.
void start_team(const std::vector<int>& cpu_workers, bool all_take_tasks);
void stop_team() noexcept;

/// Who leads a region: the leading worker, from a task, which waits for its turn; or a thread of the user's, which
/// takes the place of the team's thread on the core where it is, unless somebody leads already.
enum class leader : std::uint8_t { worker, caller };

/// The right to lead, and the cores that were free when it was given, guests' left out, the leader's in any case: no
/// single task begins on them while it lives, and those that run elsewhere are not waited for. One thread's; about as
/// cheap as a lock.
class team_lead
{
public:
    explicit team_lead(leader who) noexcept;
    ~team_lead();
    team_lead(const team_lead&) = delete;
    team_lead& operator=(const team_lead&) = delete;

    /// False: another thread leads.
    explicit operator bool() const noexcept { return lead_.owns_lock(); }
    /// Threads that take part, at least the leader.
    int members() const noexcept { return members_; }
    bool has_all() const noexcept { return has_all_; }
    /// Whether at least nine tenths of the cores were free: what regions take then, models may learn.
    bool has_most() const noexcept { return has_all_ || has_most_; }

    /// Runs body(member, members), with members from 0, each on a core of its own, and returns when all are done. All
    /// of them come, and at the same time as far as the system gives them their cores: they may wait for each other.
    /// `body` must not throw.
    void run(member_body body) noexcept;

private:
    std::unique_lock<std::mutex> lead_;
    core_set taken_, present_;
    int led_by_ = 0, members_ = 1;
    bool has_all_ = true, has_most_ = true, all_present_ = true, here_;
};

/// A core that a thread of the library's computes on, from take() to leave(): regions and single tasks do without it.
/// Where workers are not bound, or on fewer than 3 cores, nothing is taken: there whoever holds counts cores itself.
/// One thread's, which holds one core at a time and leaves it before the runtime ends.
class held_core
{
public:
    held_core() = default;
    ~held_core() { leave(); }
    held_core(const held_core&) = delete;
    held_core& operator=(const held_core&) = delete;

    /// Any that is free, the last one first, for the first one's worker leads; false: none is. Pins the calling thread
    /// to it for good, or until it takes another one: a call of the system's only if that is another one than before.
    bool take() noexcept;
    /// Again is fine.
    void leave() noexcept;
    /// A single task waits for this core: whoever holds it had better leave it soon. One relaxed load.
    bool is_wanted() const noexcept;

private:
    int core_ = -1;
};

/// So many of the team's cores has nobody taken just now: a hint, old as soon as it is there. One relaxed load for 64
/// cores.
int free_cores() noexcept;

/// The calling thread may run where the one may that began the team: a thread that an item begins would else share that
/// one's core.
void run_anywhere() noexcept;

/// Threads that make calls: each says when it begins and when it ends. While there is only one, nobody is a guest.
void caller_comes() noexcept;
void caller_goes() noexcept;
/// Whether there are several. One relaxed load of what is seldom written.
bool callers_meet() noexcept;

/// While it lives the calling thread computes by itself on the core where it is: as a guest (core_guests), also for as
/// long as the system lets others compute there, and until shortly after, for it may go on. Regions that other threads
/// begin leave the core out. For where callers meet; some 50 ns.
class as_guest
{
public:
    as_guest() noexcept;
    ~as_guest();
    as_guest(const as_guest&) = delete;
    as_guest& operator=(const as_guest&) = delete;
};
/// The calling thread makes calls that others carry out: for a while regions that these begin leave out the core where
/// it is. They would wait for a slice of the system's time there, milliseconds, which is worth a core of many. Where
/// cores are few, or such threads many, it shares. Some 50 ns.
void caller_is_here() noexcept;
/// The calling thread sleeps: where it shares its core, others may have it at once. Cheap.
void caller_sleeps() noexcept;
/// The calling thread ends, or does not go on. Cheap.
void leave_as_guest() noexcept;

/// The calling thread runs user functions (in_user_code). Asked by every call: found without the loader's help.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local bool runs_user_code = false;
inline bool inside_user_code() noexcept { return runs_user_code; }

/// For idle CPU workers. Polling would take the cores from the team and from the user's threads, and slow every lock of
/// StarPU's. So the worker that leads sleeps between regions that users' threads lead, and while a guest has its core,
/// unless there are tasks, and yields its core otherwise. The others are there for single tasks: they stay awake for a
/// while after the last one, unless a guest has their core, then sleep until the policy has one for them; and whose
/// core a region has, until that ends.
void idle_worker() noexcept;
/// All CPU workers that sleep look for what there is.
void wake_workers() noexcept;

/// After a task was submitted: the worker that sleeps between users' regions looks again.
void rouse_worker() noexcept;

} // namespace skelrt::detail
