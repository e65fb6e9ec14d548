// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/decide/decision.hpp"
#include "src/runtime/devices.hpp"
#include "src/runtime/log.hpp"

#include <skelrt/detail/call.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// SKELRT_LOG=debug: one line a call, what it found and where it goes.
namespace skelrt::detail
{

/// Which device does how many of the call's tiles, in how many tasks: "cuda 0: 5 of 8 tiles in 1 task, ...".
std::string plan_text(std::span<const plan_group> groups, const std::vector<const target*>& targets,
                      std::size_t segments);

/// log_decision(), whatever is said.
void write_decision(const call& c, bool free, std::string_view where);

/// Shape, steps, where the operands lie, and how many calls the host has not waited for: "decision: NAME: 1 x 1000;
/// host, 8 tiles {0: 8, 1: 4}; 2nd in its row; free -> inline". Before the call changes these. Free: the user did not
/// say where it should run.
inline void log_decision(const call& c, bool free, std::string_view where)
{
    if (log_enabled(log_level::debug)) write_decision(c, free, where);
}

} // namespace skelrt::detail
