// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/program/options.hpp"
#include "check.hpp"

#include <skelrt/runtime.hpp>

#include <functional>
#include <string>
#include <vector>

namespace apps
{

/// The timed runs of one device.
struct measurement {
    std::string device;          ///< cpu, cuda, opencl, hybrid, or the rival's name
    std::string hardware;        ///< for people
    std::vector<double> seconds; ///< sorted
    comparison check;            ///< no samples: not checked
    double best() const { return seconds.front(); }
    double median() const { return seconds[seconds.size() / 2]; }
};

/// Calls `run` on one device, --repeat times after the untimed ones. `run` returns when its result is complete; what
/// stays on the device between two runs is part of what is measured.
measurement measure(const std::string& device, const skelrt::runtime& rt, const common_options& o,
                    const std::function<void()>& run);
/// The same, with something that is not timed before each run.
measurement measure(const std::string& device, const skelrt::runtime& rt, const common_options& o,
                    const std::function<void()>& prepare, const std::function<void()>& run);

} // namespace apps
