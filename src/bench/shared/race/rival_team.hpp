// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/bench/shared/timing.hpp"

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include <sched.h>

namespace bench
{

/// Where plain OpenMP loops run: a thread of their own whose OpenMP team has as many threads as StarPU has CPU workers,
/// each pinned to the same core as the worker of that number. The team outlives the runtime, so that the loops can also
/// be timed with no StarPU in the process.
class rival_team
{
public:
    /// Reads the number of CPU workers and their cores from the StarPU that runs now.
    rival_team();
    /// A thread for each of these sets of cores, of which an empty one binds nothing.
    explicit rival_team(std::vector<cpu_set_t> cores);
    ~rival_team();
    rival_team(const rival_team&) = delete;
    rival_team& operator=(const rival_team&) = delete;

    int threads() const { return static_cast<int>(cores_.size()); }
    /// Runs `work` on the team's first thread and waits; from inside the team it is called directly.
    void run(const std::function<void()>& work);
    /// The same, with StarPU's workers asleep meanwhile; nothing of skelrt may be called in `work`.
    void run_alone(const std::function<void()>& work);

private:
    void serve();
    void pin_all() const;

    std::vector<cpu_set_t> cores_;
    std::mutex mutex_;
    std::condition_variable changed_;
    const std::function<void()>* work_ = nullptr;
    std::exception_ptr error_;
    bool stop_ = false;
    std::thread thread_;
};

/// While it lives StarPU's workers sleep instead of polling. No call of skelrt may be made meanwhile.
class paused_starpu
{
public:
    paused_starpu();
    ~paused_starpu();
    paused_starpu(const paused_starpu&) = delete;
    paused_starpu& operator=(const paused_starpu&) = delete;

private:
    bool running_;
};

/// Who a sample is of: skelrt itself; a rival, while StarPU's workers sleep; a rival on the pinned OpenMP threads.
enum class runs_as { skelrt, rival, team };

/// Seconds per launch of a batch that is waited for once; one more in front gets caches and clocks going.
template <class Work>
double sample_batch(Work& work, runs_as who, rival_team& team, int batch)
{
    double seconds = 0;
    const auto run = [&] {
        work.launch();
        work.wait();
        const double start = now();
        for (int i = 0; i < batch; ++i) work.launch();
        work.wait();
        seconds = (now() - start) / batch;
    };
    if (who == runs_as::skelrt) return run(), seconds;
    const paused_starpu quiet;
    if (who == runs_as::team) team.run(run);
    else run();
    return seconds;
}

} // namespace bench
