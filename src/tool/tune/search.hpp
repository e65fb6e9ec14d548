// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/tool/tune/choices.hpp"
#include "src/tool/tune/survey.hpp"
#include "src/tool/tune/turns.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

/// From whole runs of a program to what is kept of its plan. No process, no clock: these are given.
namespace skelrt::tool
{

/// The choice of each place; 0: automatic.
using assignment = std::vector<std::size_t>;

/// The program, run as its user runs it.
struct whole_runs {
    std::function<double(const assignment&)> seconds; ///< of one run; infinity if it failed or was stopped
    std::function<bool(std::size_t)> time_for;        ///< whether so many more runs can be made
    std::function<void(const std::string&)> say;      ///< a line for people
};

struct search_result {
    assignment kept; ///< all automatic: nothing gains
    turns last;      ///< of what was found against automatic; empty: nothing was found
    bool in_time;    ///< false: something was not tried for want of time
};

/// The least number of runs with which something can be found.
constexpr std::size_t least_runs = 3 + 1 + 2 * over_what_is_kept.turns + 2 * once_more.turns;

/// Greedy. First one choice everywhere, and each place's quickest; then place by place, the one with the largest share
/// of the time first; then each entry is left out in turn. A candidate is run once, and if it is quicker than what is
/// kept so far, in turns with that. At the end what is kept runs in turns with automatic once more.
search_result search(const std::vector<place>& places, const std::vector<choice>& choices, const whole_runs& runs);

} // namespace skelrt::tool
