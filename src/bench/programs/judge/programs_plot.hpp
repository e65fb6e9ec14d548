// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/bench/shared/timing.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace bench
{

/// Seconds of a program of one size.
struct program_times {
    std::string name, size;
    std::vector<double> automatic;       ///< the first run, the second, ...: each the median of all rows
    std::map<std::string, double> alone; ///< by kind of device: the median of its runs

    const std::string& best_kind() const
    {
        return std::ranges::min_element(alone, {}, [](const auto& kind) { return kind.second; })->first;
    }
    double best() const { return alone.at(best_kind()); }
    /// Over the best single kind.
    double first() const { return automatic.front() / best(); }
    /// Of that many runs at least.
    double tenth() const { return automatic.at(9) / best(); }
    /// The same of later runs: the median.
    double second() const
    {
        return summarize({automatic.begin() + (automatic.size() > 1), automatic.end()}).median / best();
    }
};

/// A line for each program and size: what the runs took over the best single kind.
void draw_programs(const std::vector<program_times>& all, const std::filesystem::path& picture);

} // namespace bench
