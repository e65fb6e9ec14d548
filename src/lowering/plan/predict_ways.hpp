// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/decide/episodes.hpp"
#include "src/lowering/engine.hpp"
#include "src/lowering/place/layout/layout.hpp"
#include "src/lowering/plan/planner.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// What models say of a call by each way that its episode could go, for episodes that want to know.
namespace skelrt::detail
{

/// Of a call that was planned: as planned, which takes `planned_us`, and all of it by each kind of device. `devices`
/// and `data`: as they would be if the kind had had the earlier calls of the episode, too; the cores, all of the data,
/// which has to come to them first.
void predict_ways(episodes& to, const std::vector<const target*>& targets, double planned_us,
                  std::span<const plan_device> devices, const plan_data& data, const plan_rules& rules,
                  double to_cores_us);

/// Of a call in a row of calls like it, which goes where the last one went: target number `device`.
void predict_ways_again(episodes& to, const std::vector<const target*>& targets,
                        const std::vector<schedulers::worker_cost>& costs, unsigned device, std::size_t elements,
                        double to_cores_us);

/// Until the cores would have what the call reads, but for what its episode has used before.
double us_to_cores(const std::vector<const target*>& targets, const layout& data, std::uint64_t episode);

} // namespace skelrt::detail
