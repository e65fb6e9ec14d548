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
};

/// Rides in starpu_task::sched_data, for policies that understand it; the others never look there.
/// Lifetime: until the task has ended. Read-only from submission on.
struct placement_hint {
    static constexpr std::uint64_t mark = 0x746e69486b6c656b;
    static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

    std::uint64_t magic = mark;
    int worker = -1;              ///< StarPU worker that ought to run it
    double expected_us = unknown; ///< how long it takes there
    std::size_t elements = 0;
    std::span<const worker_cost> others; ///< workers that may take it instead; none: it is not movable
    /// False while the tasks that were planned together still arrive: who is idle then may only be waiting for its part.
    /// Null: it is alone.
    const std::atomic<bool>* arrived = nullptr;

    bool movable() const noexcept { return !others.empty(); }
};

/// The hint behind a task's sched_data; null if there is none. Others may use the field: it points to eight bytes or more.
inline const placement_hint* read_hint(const void* sched_data) noexcept
{
    const auto* hint = static_cast<const placement_hint*>(sched_data);
    return hint && hint->magic == placement_hint::mark ? hint : nullptr;
}

/// How long the task takes on one of the workers that may take it; NaN: that worker may not.
inline double cost_elsewhere(const placement_hint& hint, int worker) noexcept
{
    for (const worker_cost& c : hint.others)
        if (c.worker == worker) return c.fixed_us + c.element_us * static_cast<double>(hint.elements);
    return placement_hint::unknown;
}

} // namespace skelrt::schedulers
