// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

/// Applications as processes, under a scheduling policy.
namespace bench
{

/// A small problem of an application, which checks its results.
struct app_run {
    const char* name;
    const char* arguments;
    bool only_cores = false; ///< it has nothing for other devices
};
std::span<const app_run> app_runs();

/// StarPU's policies, in its order, and then ours.
std::vector<std::string> all_policies();

struct app_end {
    double seconds = 0;
    std::string trouble; ///< what went wrong; empty: it ended well, and its results were right
};

/// Runs an application, which lies below `folder` or in it, for `most_seconds` at most, each call in several tasks.
/// `scratch`: for what policies keep of runs before.
app_end run_app(const app_run& app, const std::string& policy, const std::string& device,
                const std::filesystem::path& folder, const std::filesystem::path& scratch, int most_seconds);

/// Whether it is there.
bool has_app(const app_run& app, const std::filesystem::path& folder);

} // namespace bench
