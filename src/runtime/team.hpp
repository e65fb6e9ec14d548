#pragma once

#include <functional>
#include <vector>

/// All CPU cores as one device: threads that sit on the cores of the CPU workers. They are the library's own. OpenMP's would count
/// against the program's: as soon as all teams together have more threads than the machine has cores, libgomp's barriers, the
/// program's as well, let threads sleep after a microsecond.
namespace skelrt::detail
{

/// Prepares the team for these CPU workers; the first one leads. `all_take_tasks`: single tasks go to every worker (a
/// policy places them), not only to the leader. Throws std::system_error.
void start_team(const std::vector<int>& cpu_workers, bool all_take_tasks);
void stop_team() noexcept;

/// Runs body(thread, threads) on every core of the team and returns when all are done. Only the leading worker calls it,
/// from a task. Meanwhile idle CPU workers sleep instead of polling on the team's cores. `body` must not throw.
void run_team(const std::function<void(int thread, int threads)>& body) noexcept;

/// The same from a thread of the user's, which takes the place of the team's thread on the core where it is. False, and nothing
/// done: another thread leads.
bool run_team_here(const std::function<void(int thread, int threads)>& body) noexcept;

/// Marks the calling thread as running user functions for a task, while it lives.
class in_user_code
{
public:
    in_user_code() noexcept;
    ~in_user_code();
    in_user_code(const in_user_code&) = delete;
    in_user_code& operator=(const in_user_code&) = delete;
};

/// Whether the calling thread runs user functions for a task. A few nanoseconds.
bool inside_user_code() noexcept;

/// For idle CPU workers. While a team runs they sleep, and between regions that users' threads lead, unless there are tasks:
/// waking up takes a core from the team for longer than a short region lasts. Otherwise those that may get tasks yield their
/// core and look again; the others sleep for milliseconds: polling would take the cores from the user's threads, and slow every
/// lock of StarPU's.
void idle_worker() noexcept;

/// After a task was submitted: the worker that sleeps between users' regions looks again.
void rouse_worker() noexcept;

} // namespace skelrt::detail
