// SPDX-License-Identifier: BSD-3-Clause
#include "src/program/program.hpp"

#include "src/runtime/cores/compute_right.hpp"
#include "src/runtime/cores/team.hpp"
#include "src/runtime/simulated.hpp"
#include "src/trace/timeline.hpp"

#include <starpu.h>

namespace skelrt::detail
{

namespace
{

std::atomic<program*> all{nullptr};

} // namespace

constinit thread_local program* program::mine = nullptr;
std::atomic<unsigned> program::threads{0};

/// Gives the program back with the thread.
struct program::keeper {
    ~keeper()
    {
        if (!mine) return;
        mine->taken_.store(false, std::memory_order_release);
        mine = nullptr;
        threads.fetch_sub(1, std::memory_order_relaxed);
        caller_goes();
    }
};

program& program::take() noexcept
{
    for (program* p = all.load(std::memory_order_acquire); p; p = p->next_)
        if (!p->taken_.load(std::memory_order_relaxed) && !p->taken_.exchange(true, std::memory_order_acquire)) {
            p->wishes = {};
            p->row = {};
            p->anew_ = true;
            return *p;
        }
    auto* const p = new program;
    p->next_ = all.load(std::memory_order_relaxed);
    while (!all.compare_exchange_weak(p->next_, p, std::memory_order_release, std::memory_order_relaxed)) {}
    return *p;
}

void in_flight_count::wait(std::uint32_t most) noexcept
{
    static const std::string name = "wait: too many calls in flight";
    const traced_time traced(traced::wait, most > 0 && now() > most ? &name : nullptr);
    if constexpr (simulated) { // threads share one: they wait through StarPU
        for (int left = starpu_task_nsubmitted(); left > 0 && now() > most; --left)
            starpu_task_wait_for_n_submitted(static_cast<unsigned>(left - 1));
        return;
    }
    if (now() <= most) return;
    const falls_asleep away;
    constexpr std::chrono::microseconds awake{100};
    const std::uint32_t goal = begun_.load() - most;
    awaited_.store(goal); // then the look: either it finds all ended, or who ends the last one finds it
    for (std::uint32_t n = ended_.load(); !is_reached(n, goal); n = ended_.load())
        ended_.wait_while(n, awake, [] { return false; });
}

program& program::begin() noexcept
{
    mine = &take();
    threads.fetch_add(1, std::memory_order_relaxed);
    caller_comes();
    thread_local keeper gives_back;
    static_cast<void>(&gives_back);
    return *mine;
}

} // namespace skelrt::detail
