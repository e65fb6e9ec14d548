// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/bench/programs/judge/trials.hpp"

#include <array>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

/// The applications as programs that are judged: built beside this program, each run a process.
namespace bench
{

struct judged_application {
    std::string_view name, size_option;
    std::array<std::string_view, 3> sizes;
    std::string_view others = {}; ///< options that are the same for all sizes
};

/// All that have something for more than one kind of device.
std::span<const judged_application> judged_applications();

/// With one of its sizes: one run of what it computes, without one that is not timed before.
/// Throws if it is not in `folder`, nor in a folder of its own there.
judged_program judged(const judged_application& app, std::string_view size, const std::filesystem::path& folder);

} // namespace bench
