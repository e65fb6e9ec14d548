// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/plan.hpp>
#include <skelrt/runtime.hpp>

#include <string>
#include <vector>

/// What `skelrt tune` tries. Pure.
namespace skelrt::tool
{

/// One way to place calls. No shares: automatic.
struct choice {
    std::string name;
    std::vector<plan_share> shares;
};

/// Automatic, each device alone, the CPU with half and a quarter of its threads, each GPU in pieces, with other blocks,
/// and with the CPU. The first is automatic.
std::vector<choice> choices_for(const std::vector<device_info>& devices);

} // namespace skelrt::tool
