// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace skelrt::tool
{

/// What `skelrt replay` is told.
struct replay_request {
    std::filesystem::path calls; ///< what SKELRT_CALLS wrote
    std::vector<unsigned> ranks{1, 4, 16, 64, 256, 1024};
    std::filesystem::path network; ///< a file about a machine; empty: what is known of this one
    std::string device;            ///< empty: the fastest for each call
    double speed = 1;
    bool grows = false; ///< each rank has as much as the process that was recorded
};

/// Prints how long the recorded calls would take on each number of ranks. Throws error.
void replay_calls(const replay_request& r);

} // namespace skelrt::tool
