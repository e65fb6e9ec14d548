// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/plan/input.hpp"

#include <cstddef>
#include <span>
#include <vector>

/// Which device does which segments of a call that nobody else places. Pure.
namespace skelrt::detail
{

/// A call that is cut, as models and notes of where its data lies see it.
struct surveyed_call {
    std::vector<plan_device> devices;
    plan_data data;
    plan_rules rules;
    bool guesses = false;      ///< some device's cost is no measured one
    bool needs_copies = false; ///< no GPU has all of the data
    bool at_home = false;      ///< the cores have
};

/// By the planner. By guesses either the cores do it all or the others: a call that both share takes as long as the
/// slower guess was too short. And they are no reason to send data away, unless they promise much: copies are what they
/// are most often wrong about. Where some is away already, there are copies either way.
std::vector<plan_group> groups_by_models(const surveyed_call& c);

/// A map of scalars goes to the device that has most of them, rather a GPU: what they are for is there. `scalars`: of
/// each target.
unsigned where_scalars_are(std::span<const std::size_t> scalars) noexcept;

/// One segment each, for a policy of the user's.
std::vector<plan_group> one_group_each(std::size_t segments);

} // namespace skelrt::detail
