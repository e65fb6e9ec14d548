// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/recipe.hpp>

namespace skelrt::detail
{

/// What decisions must know of a skeleton, whatever its functions are.
struct skeleton_traits {
    bool for_one_device = false;  ///< a second device would only wait for the first, or copy more
    bool gains_by_split = false;  ///< an episode may share it between cores and GPUs, always in the same parts
    bool parts_wait = false;      ///< for each other: when one device is done tells nothing of what it took
    bool leaves_partials = false; ///< groups leave partial results, which somebody combines
    bool may_move = true;         ///< a policy may give a group to another device than the planner did
    bool may_batch = true;        ///< may become one task with other calls
    bool caller_leads = false;    ///< the calling thread may lead all cores where it is inline, without a task
};

/// A row per skeleton. Runs of accumulators are cut by sizes alone, so that sums have the same bits each time: they do
/// not move.
constexpr skeleton_traits traits_of(skeleton kind) noexcept
{
    switch (kind) {
    case skeleton::map:
        return {.gains_by_split = true, .caller_leads = true};
    case skeleton::reduce:
        return {.gains_by_split = true, .leaves_partials = true, .caller_leads = true};
    case skeleton::reduce_rows:
        return {};
    case skeleton::reduce_columns:
        return {.leaves_partials = true};
    case skeleton::stencil:
        return {.gains_by_split = true, .caller_leads = true};
    case skeleton::scan:
        return {.for_one_device = true, .gains_by_split = true, .parts_wait = true, .may_move = false};
    case skeleton::scan_rows:
        return {};
    case skeleton::scan_columns:
        return {.for_one_device = true, .may_move = false};
    case skeleton::all_pairs:
        return {.gains_by_split = true};
    case skeleton::accumulate:
        return {.leaves_partials = true, .may_move = false};
    case skeleton::filter:
        return {.for_one_device = true, .leaves_partials = true, .may_move = false, .may_batch = false};
    case skeleton::sort:
        return {.for_one_device = true, .may_move = false, .may_batch = false};
    case skeleton::wavefront:
        return {.for_one_device = true, .may_move = false, .caller_leads = true};
    }
    return {};
}

} // namespace skelrt::detail
