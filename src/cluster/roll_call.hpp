// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/cluster/call_history.hpp"

#include <string>
#include <vector>

/// What a rank that has waited for long concludes from where the others are. Pure.
namespace skelrt::detail
{

/// Where a rank is.
struct place {
    bool waits = false; ///< for a value of another rank; else it does something of its own
    std::int32_t for_rank = -1;
    past_call last; ///< that it made
};

/// What is known of a rank after a roll call.
struct rank_answer {
    enum state : std::uint8_t { silent, computes, waits, left } what = silent;
    place where{}; ///< of who is not silent
};

struct roll_call_result {
    enum verdict : std::uint8_t { go_on, deadlock, lost } what = go_on;
    std::string text; ///< why, for an error or a warning
};

/// One rank's answer each. Who computes may well come; if all that are there wait, nobody does; who is silent is lost.
roll_call_result judge(const std::vector<rank_answer>& ranks, long waited_s);

} // namespace skelrt::detail
