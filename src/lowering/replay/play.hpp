// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/replay/recording.hpp"
#include "src/model/machine/machine.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace skelrt::detail
{

/// How nodes are said to be.
struct replay_options {
    std::string device;    ///< that does all calls: "cpu", "cuda", "opencl"; empty: the fastest for each
    double speed = 1;      ///< so many times as fast as those that the calls were recorded on
    network_peaks network; ///< between them
};

/// A recording on so many ranks.
struct replayed {
    unsigned ranks = 1;
    double us = 0;                         ///< until the last rank is done
    double share_us = 0;                   ///< of it: what the busiest rank computes
    double held_bytes = 0, sent_bytes = 0; ///< of the fullest rank; of the rank that sends most
    std::uint64_t sent_messages = 0;       ///< of the rank that sends most
};

/// Throws error for what ranks refuse, and where the recording has no time of a call on the device. Calls of the same
/// shapes are looked at once: O(calls * (ranks + messages) + kinds of calls * ranks^2).
replayed replay(const recording& r, unsigned ranks, const replay_options& how);

/// What a call takes beyond the share of the busiest rank, which takes so long.
double us_beyond_share(const recording& r, const recorded_call& c, unsigned ranks, const network_peaks& n,
                       double share_us);

} // namespace skelrt::detail
