#pragma once

#include "src/lowering/decide/decision.hpp"

#include <skelrt/runtime.hpp>

#include <cstdint>

/// How a call that one task does is carried out: by the calling thread, which leads the cores without a task; in a
/// batch with others; or as its own task. Pure.
namespace skelrt::detail
{

/// What is known of such a call.
struct one_task {
    device where = device::cpu;
    double us = 0;              ///< that it takes there
    bool plain = false;         ///< the planner's, with nothing before it and nothing after it
    bool told = false;          ///< it obeys a plan
    bool held = false;          ///< it goes where one like it went
    bool checked = false;       ///< its functions ran there before, and were right
    bool maps_scalars = false;  ///< a map of scalars and values to a scalar
    bool all_there = false;     ///< the device has all of its data
    bool measured = false;      ///< what it takes is no guess
    bool may_end_early = false; ///< its task may end before its kernels do
    bool follows = false;       ///< a call that the host has not waited for
};

/// What the program does around it.
struct call_surroundings {
    unsigned row = 0, last_row = 0; ///< calls in a row before it; in the row before
    std::uint32_t in_flight = 0;    ///< of this program's calls, this one included
    double longest_led_us = 0;      ///< that a call may keep the calling thread
};

/// Calls that take the cores not much longer than the task would take. Programs that have many calls in a row are
/// better off if the next one is submitted meanwhile.
bool may_lead_cores(const one_task& t, const call_surroundings& around) noexcept;

/// Short calls, on a device that has all of their data, as was measured.
bool may_join_batch(const one_task& t) noexcept;

/// Whether it could join others if the calling thread did not do it.
bool is_short_on_cores(const one_task& t) noexcept;

/// Whether the next call in this situation should go the same way. Where another device would be faster if it had the
/// data, calls are planned each time: what they lose adds up until the data moves. Likewise on cores that compete with
/// GPUs, but for single calls, which GPUs would pay the way for. `device`: its number among the decision's targets.
bool is_worth_holding(const one_task& t, const decision& d, unsigned device, std::size_t elements) noexcept;

/// Whether it holds for single calls only.
bool holds_for_single_calls(const one_task& t, const decision& d) noexcept;

} // namespace skelrt::detail
