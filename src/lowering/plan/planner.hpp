// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/plan/input.hpp"

#include <span>
#include <vector>

/// From models, sizes and residency to groups: which device takes which run of segments. Pure: knows no device.
namespace skelrt::detail
{

/// Groups come in the order of their segments and cover all of them. Work, copies to a device and copies from it
/// overlap, piece by piece; the host's memory serves the team and all copies. Segments of equal cost stay together,
/// GPUs in front of the CPU, so that the same call on the same data gives the same plan and data stays where it is. A
/// split that does not promise at least 3 % over the best single device and `split_us` is not made. O(segments x
/// devices).
std::vector<plan_group> make_plan(std::span<const plan_device> devices, const plan_data& data,
                                  const plan_rules& rules = {});

/// How much longer a plan takes than each device would that had all of the data: what is lost because it has not, if
/// positive.
std::vector<double> lost_us(std::span<const plan_device> devices, const plan_data& data, const plan_rules& rules,
                            std::span<const plan_group> plan);

/// How long a plan takes by these models, microseconds, with the bytes that are due.
double plan_us(std::span<const plan_device> devices, const plan_data& data, const plan_rules& rules,
               std::span<const plan_group> plan);

} // namespace skelrt::detail
