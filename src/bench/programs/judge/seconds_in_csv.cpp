// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/programs/judge/seconds_in_csv.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>

namespace bench
{
namespace
{

/// Commas between quotation marks are no ends of cells.
std::vector<std::string> cells_of(const std::string& line)
{
    std::vector<std::string> cells{""};
    bool quoted = false;
    for (const char c : line.substr(0, line.find('\n'))) {
        if (c == '"') quoted = !quoted;
        else if (c == ',' && !quoted) cells.emplace_back();
        else cells.back() += c;
    }
    return cells;
}

} // namespace

double seconds_in_csv(const std::vector<std::string>& lines)
{
    const auto head = lines.empty() ? std::vector<std::string>() : cells_of(lines[0]);
    const auto column = static_cast<std::size_t>(std::ranges::find(head, "median_s") - head.begin());
    double sum = 0;
    for (std::size_t row = 1; row < lines.size(); ++row) {
        const std::vector<std::string> cells = cells_of(lines[row]);
        if (column >= cells.size()) throw std::runtime_error("its table has no times");
        sum += std::stod(cells[column]);
    }
    if (lines.size() < 2) throw std::runtime_error("its table has no times");
    return sum;
}

} // namespace bench
