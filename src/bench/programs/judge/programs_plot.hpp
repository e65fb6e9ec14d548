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

/// Seconds of a program's runs: the first, the second, ...: each the median of all rows.
struct run_times : std::vector<double> {
    /// Of later runs: the median.
    double later() const { return summarize({begin() + (size() > 1), end()}).median; }
};

/// Of a program of one size. First runs are judged by first ones, later runs by later ones.
struct program_times {
    std::string name, size;
    run_times automatic;
    std::map<std::string, run_times> alone; ///< by kind of device

    const std::string& best_kind() const
    {
        return std::ranges::min_element(alone, {}, [](const auto& kind) { return kind.second.later(); })->first;
    }
    /// Over the best single kind.
    double first() const
    {
        const auto of_first = [](const auto& kind) { return kind.second.front(); };
        return automatic.front() / of_first(*std::ranges::min_element(alone, {}, of_first));
    }
    double second() const { return automatic.later() / alone.at(best_kind()).later(); }
    /// Of that many runs at least.
    double tenth() const { return automatic.at(9) / alone.at(best_kind()).later(); }
};

/// A line for each program and size: what the runs took over the best single kind.
void draw_programs(const std::vector<program_times>& all, const std::filesystem::path& picture);

} // namespace bench
