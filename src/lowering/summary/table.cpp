// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/summary/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace skelrt::detail
{

namespace
{

std::vector<summary_row> added_up(const std::vector<summary_row>& rows)
{
    std::map<std::pair<std::string, std::string>, summary_row> by_name;
    for (const summary_row& r : rows) {
        summary_row& all = by_name.try_emplace({r.call, r.where}, summary_row{r.call, r.where}).first->second;
        all.calls += r.calls;
        all.tasks += r.tasks;
        all.us += r.us;
    }
    std::vector<summary_row> sum;
    for (auto& [name, row] : by_name) sum.push_back(std::move(row));
    std::ranges::stable_sort(sum, std::ranges::greater{}, &summary_row::us);
    return sum;
}

std::string bytes_text(double bytes)
{
    if (bytes >= 1e9) return fmt::format("{:.2f} GB", bytes * 1e-9);
    if (bytes >= 1e6) return fmt::format("{:.1f} MB", bytes * 1e-6);
    return fmt::format("{:.1f} kB", bytes * 1e-3);
}

} // namespace

std::string summary_text(const std::vector<summary_row>& rows, const std::vector<summary_copies>& copies,
                         double seconds)
{
    std::string text = fmt::format("skelrt: summary of {:.3f} s\n", seconds);
    const auto out = std::back_inserter(text);
    const std::vector<summary_row> sum = added_up(rows);
    if (sum.empty()) fmt::format_to(out, "  no calls\n");
    else
        fmt::format_to(out, "  {:>10} {:>6} {:>9} {:>9} {:>11}  {:<10} {}\n", "time ms", "share", "calls", "tasks",
                       "us a call", "where", "call");
    double all = 0;
    for (const summary_row& r : sum) all += r.us;
    for (const summary_row& r : sum)
        fmt::format_to(out, "  {:>10.3f} {:>4.0f} % {:>9} {:>9} {:>11.1f}  {:<10} {}\n", r.us * 1e-3,
                       all > 0 ? 100 * r.us / all : 0, r.calls, r.tasks,
                       r.us / static_cast<double>(std::max<std::size_t>(r.calls, 1)), r.where, r.call);
    for (const summary_copies& c : copies)
        if (c.copies > 0)
            fmt::format_to(out, "  copied from {} to {}: {} in {} cop{}\n", c.from, c.to, bytes_text(c.bytes), c.copies,
                           c.copies == 1 ? "y" : "ies");
    return text;
}

} // namespace skelrt::detail
