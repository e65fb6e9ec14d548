// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

/// What a planner tells a scheduling policy about one task. Plain data: both sides of a plug-in's border read it.
namespace skelrt::schedulers
{

/// What a task costs on a worker, copies not counted: microseconds = fixed_us + element_us * elements.
struct worker_cost {
    int worker;
    double fixed_us, element_us;
    double free_us = 0; ///< by starpu_timing_now(): until then it has other work that no policy sees
};

/// Rides in starpu_task::sched_data, for policies that understand it; the others never look there.
/// Lifetime: until the task has ended. Read-only from submission on, but for what its worker notes.
struct placement_hint {
    static constexpr std::uint64_t mark = 0x746e69486b6c656b;
    static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

    std::uint64_t magic = mark;
    /// StarPU worker that ought to run it; -1: it is open to whoever ends it first, a single core or a GPU.
    int worker = -1;
    double expected_us = unknown; ///< how long it takes there
    std::size_t elements = 0;
    /// Workers that may take it instead; none: it is not movable. Of an open task all who may: each stands for its kind
    /// and memory.
    std::span<const worker_cost> others;
    /// False while the tasks that were planned together still arrive: who is idle then may only be waiting for its
    /// part.
    /// Null: it is alone.
    const std::atomic<bool>* arrived = nullptr;

    /// What its device still has to do when the task has ended for StarPU, about, with what was left there before. The
    /// worker that runs it notes it.
    double left_us = 0;

    bool movable() const noexcept { return !others.empty(); }
    double cost_us(const worker_cost& c) const noexcept
    {
        return c.fixed_us + c.element_us * static_cast<double>(elements);
    }
};

/// The hint behind a task's sched_data; null if there is none. Others may use the field: it points to eight bytes or
/// more.
inline const placement_hint* read_hint(const void* sched_data) noexcept
{
    const auto* hint = static_cast<const placement_hint*>(sched_data);
    return hint && hint->magic == placement_hint::mark ? hint : nullptr;
}

/// Whether no worker is meant: a program's own task, or one with such a hint.
inline bool is_open(const placement_hint* hint) noexcept { return !hint || hint->worker < 0; }

/// How long the task takes on one of the workers that may take it; NaN: that worker may not.
inline double cost_elsewhere(const placement_hint& hint, int worker) noexcept
{
    for (const worker_cost& c : hint.others)
        if (c.worker == worker) return hint.cost_us(c);
    return placement_hint::unknown;
}

} // namespace skelrt::schedulers
