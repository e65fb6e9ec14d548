// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/decide/decision.hpp"

#include <cstddef>
#include <span>

/// What the planner is told. It answers with groups.
namespace skelrt::detail
{

/// Of plan_rules::split_us: GPUs hand each other lines over links of their own, but each step waits for the other's.
constexpr double among_gpus = 0.6;

/// What the planner must know about a device for one call.
struct plan_device {
    double fixed_us;        ///< start of a task, once
    double element_us;      ///< per element, all its cores together
    double bytes_per_us;    ///< into its memory
    double first_bytes = 0; ///< due before anything can run (replicas of whole operands); see plan_data::due
    bool team = false;      ///< the CPU: works in host memory, takes its run as few tasks
    std::size_t longest_run =
        32;               ///< segments that a task may take: pointer tables, and what fits in the device's memory
    bool steady = false;  ///< cut its run by sizes alone, never by models: reductions then give the same bits again
    bool gapless = false; ///< calls in a row follow each other on it without waiting for the host
    double way_us = 0;    ///< of fixed_us, what they then do not pay
    double home_bytes_per_us = 1e9; ///< from its memory to the host's
    double hindrance = 0;           ///< of the time that copies run both ways at once, what they lose by it
    double host_bytes = 0;          ///< per element, through the host's memory: of the team
    double copy_us = 0;             ///< before the first byte of what it misses comes
    double piece_us = 0;            ///< what each task costs more that its work is cut into
    double start_us = 0;            ///< until it is done with what others gave it
};

/// What the planner must know about the segments of a call. Per segment and device: [s * devices + d].
struct plan_data {
    std::span<const std::size_t> elements;
    std::span<const double> missing; ///< bytes that the device does not have yet
    /// Of these, bytes that the decision has to count: the others are paid for already, by time lost (residency.hpp).
    /// Empty: all.
    std::span<const double> due = {};
    /// Per segment: bytes of results that have to go home from a device. Empty: none.
    std::span<const double> home = {};
};

/// What else the planner must know about a call.
struct plan_rules {
    bool for_one_device = false;  ///< a second device would only wait for the first
    double split_us = 0;          ///< what it costs to have several devices
    double uses = 1;              ///< so many calls in a row work on this data: each bears a part of what copies cost
    bool waits = false;           ///< for results of calls in flight
    bool follows = false;         ///< other calls, which are in flight or were just now
    double worthwhile = 0.97;     ///< a split must promise less than this part of the best single device's time
    bool goes_home = false;       ///< the host reads the results next: their way home overlaps with work, too
    double host_bytes_per_us = 0; ///< of the host's memory, which the team and all copies share; 0: no limit
};

} // namespace skelrt::detail
