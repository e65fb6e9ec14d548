// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/bench/shared/timing.hpp"

#include <string>
#include <utility>
#include <vector>

namespace bench
{

/// What a benchmark says: lines for people as it goes, rows for the CSV file, and the figures as the last lines.
class report
{
public:
    void heading(const std::string& text);
    void note(const std::string& text);
    /// Something that makes the numbers doubtful; said again at the end.
    void warn(const std::string& text);

    /// One contestant's time for one piece of work. `rate` is a number for people, GB/s say; 0: none.
    void row(const std::string& work, const std::string& who, const summary& time, double rate = 0,
             const std::string& unit = "");
    /// The same, for the CSV file only.
    void keep_row(const std::string& work, const std::string& who, const summary& time);
    void figure(const std::string& name, double value);

    /// The CSV file (if a name is given), the figures against their bars, and the figure lines.
    void finish(const std::string& benchmark, const std::string& csv) const;

private:
    struct line {
        std::string work, who;
        summary time;
        double rate;
        std::string unit;
    };

    void write_csv(const std::string& benchmark, const std::string& file) const;

    std::vector<line> lines_;
    std::vector<std::string> warnings_;
    std::vector<std::pair<std::string, double>> figures_;
};

/// 1.234 s, 1.234 ms, 1.234 us, 123.4 ns.
std::string show_time(double seconds);

} // namespace bench
