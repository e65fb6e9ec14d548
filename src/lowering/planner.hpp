#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// From models, sizes and residency to groups: which device takes which run of segments. Pure: knows no device.
namespace skelrt::detail
{

/// What the planner must know about a device for one call.
struct plan_device {
    double fixed_us;        ///< start of a task, once
    double element_us;      ///< per element, all its cores together
    double bytes_per_us;    ///< into its memory
    double first_bytes = 0; ///< to move before anything can run (replicas of whole operands)
    bool team = false;      ///< the CPU: works in host memory, takes its run as few tasks
    std::size_t longest_run =
        32;               ///< segments that a task may take: pointer tables, and what fits in the device's memory
    bool steady = false;  ///< cut its run by sizes alone, never by models: reductions then give the same bits again
    bool gapless = false; ///< calls in a row follow each other on it without waiting for the host
};

/// A run of segments for one device.
struct plan_group {
    unsigned device;
    std::size_t first, count;
    friend bool operator==(const plan_group&, const plan_group&) = default;
};

/// What else the planner must know about a call.
struct plan_rules {
    bool for_one_device = false; ///< a second device would only wait for the first
    double split_us = 0;         ///< what it costs to have several devices
    double uses = 1;             ///< so many calls in a row work on this data: each bears a part of what copies cost
    bool waits = false;          ///< for results of calls in flight
};

/// `missing[s * devices + d]`: bytes of segment s that device d does not have yet.
/// Groups come in the order of their segments and cover all of them. Copies overlap kernels: a device's time is the
/// larger of the two sums. Segments of equal cost stay together, GPUs in front of the CPU, so that the same call on the
/// same data gives the same plan and data stays where it is. A split that does not promise at least 3 % over the best
/// single device and `split_us` is not made. O(segments x devices).
std::vector<plan_group> make_plan(std::span<const plan_device> devices, std::span<const std::size_t> elements,
                                  std::span<const double> missing, const plan_rules& rules = {});

} // namespace skelrt::detail
