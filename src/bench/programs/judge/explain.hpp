// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/tool/trace/events.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// Which calls of a program cost how much more than on the best single kind of device. Pure, from two traces.
namespace bench
{

/// Calls of one recipe and size that went to one device.
struct call_cost {
    std::string recipe, size, device;
    std::uint64_t calls = 0, copies = 0; ///< copies: into the memory of the device, for these calls
    double planned_us = 0;               ///< of those for which that is known
    double taken_us = 0;                 ///< from their first task's begin to their last one's end
    double elsewhere_us = 0;             ///< what as many of the recipe took in the other trace; 0: it has none
    double lost_us() const { return elsewhere_us > 0 ? taken_us - elsewhere_us : 0; }
};

/// Those that lost most come first.
std::vector<call_cost> costs_of_calls(const skelrt::tool::trace_events& automatic,
                                      const skelrt::tool::trace_events& alone);

/// A table of the first ones; and what the program lost beside all of them: between calls, or while they waited.
std::string costs_text(const std::vector<call_cost>& costs, const std::string& kind, double lost_us);

} // namespace bench
