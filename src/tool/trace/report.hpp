// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/tool/trace/events.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

/// What a trace tells, as data and as text. Pure.
namespace skelrt::tool
{

/// Calls of one name, size and device together.
struct call_sum {
    std::string name, size, device;
    std::uint64_t calls = 0;
    double us = 0;         ///< from the first task's begin to the last one's end; without tasks: in the calling thread
    double planned_us = 0; ///< of those for which that is known ...
    double taken_us = 0;   ///< ... and what they took
    double queued_us = 0;  ///< from the call to its first task
};

/// Those that took most come first.
std::vector<call_sum> sums_of_calls(const trace_events& t);

/// How long something happened in a row; what overlaps counts once.
std::map<std::pair<int, int>, double> busy_us(const trace_events& t);

std::string report_text(const trace_events& t);

} // namespace skelrt::tool
