#pragma once

#include <skelrt/detail/user_code.hpp>

#include <concepts>
#include <mutex>
#include <vector>

/// All CPU cores as one device: threads that sit on the cores of the CPU workers. They are the library's own. OpenMP's would count
/// against the program's: as soon as all teams together have more threads than the machine has cores, libgomp's barriers, the
/// program's as well, let threads sleep after a microsecond.
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
/// policy places them), not only to the leader. Throws std::system_error.
void start_team(const std::vector<int>& cpu_workers, bool all_take_tasks);
void stop_team() noexcept;

/// Runs body(member, members) on every core of the team and returns when all are done. Only the leading worker calls it,
/// from a task. Meanwhile idle CPU workers sleep instead of polling on the team's cores. `body` must not throw.
void run_team(member_body body) noexcept;

/// The same from a thread of the user's, which takes the place of the team's thread on the core where it is. False, and nothing
/// done: another thread leads.
bool run_team_here(member_body body) noexcept;
/// The right to lead, for a thread of the user's; not owned if another thread leads. Who has it may run_led_team().
std::unique_lock<std::mutex> try_to_lead_team() noexcept;
/// As run_team_here(), by who leads.
bool run_led_team(member_body body) noexcept;

/// Whether the calling thread runs user functions (in_user_code). A few nanoseconds.
bool inside_user_code() noexcept;

/// For idle CPU workers. While a team runs they sleep, and between regions that users' threads lead, unless there are tasks:
/// waking up takes a core from the team for longer than a short region lasts. Otherwise those that may get tasks yield their
/// core and look again; the others sleep for milliseconds: polling would take the cores from the user's threads, and slow every
/// lock of StarPU's.
void idle_worker() noexcept;

/// After a task was submitted: the worker that sleeps between users' regions looks again.
void rouse_worker() noexcept;

} // namespace skelrt::detail
