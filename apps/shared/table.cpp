// SPDX-License-Identifier: BSD-3-Clause
#include "table.hpp"

#include "apps/shared/program/error.hpp"

#include <skelrt/cluster.hpp>

#include <algorithm>
#include <fstream>

#include <fmt/format.h>
#include <fmt/ostream.h>

namespace apps
{
namespace
{

const measurement* find(const std::vector<measurement>& rows, const std::string& device)
{
    const auto found = std::ranges::find(rows, device, &measurement::device);
    return found == rows.end() ? nullptr : &*found;
}

std::string error_text(const comparison& c)
{
    if (c.samples == 0) return "-";
    return fmt::format("{:.1e} {}", c.relative, c.good() ? "good" : "WRONG");
}

std::string row_text(const measurement& m, const std::vector<rate>& rates, double fastest, std::size_t width)
{
    std::string text =
        fmt::format("{:<{}} {:>11} {:>11}", m.device, width, duration_text(m.best()), duration_text(m.median()));
    for (const auto& r : rates) text += fmt::format(" {:>12.2f}", r.per_run / m.median());
    return text + fmt::format(" {:>9.2f}x   {:<13} {}\n", fastest / m.median(), error_text(m.check), m.hardware);
}

void write_row(std::ostream& out, const measurement& m, const problem_rows& p)
{
    fmt::print(out, "{},\"{}\"", m.device, m.hardware);
    for (const auto& [name, value] : p.problem) out << ',' << value;
    fmt::print(out, ",{},{:.9g},{:.9g}", m.seconds.size(), m.best(), m.median());
    for (const auto& r : p.rates)
        if (!r.name.empty()) fmt::print(out, ",{:.6g}", r.per_run * r.unit / m.median());
    fmt::print(out, ",{}\n", m.check.samples > 0 ? fmt::format("{:.3g}", m.check.relative) : "");
}

} // namespace

std::string duration_text(double seconds)
{
    if (seconds >= 1) return fmt::format("{:.2f} s", seconds);
    if (seconds >= 1e-3) return fmt::format("{:.2f} ms", seconds * 1e3);
    return fmt::format("{:.1f} us", seconds * 1e6);
}

std::string table_of(const std::vector<measurement>& rows, const std::vector<rate>& rates)
{
    double fastest = rows.front().median();
    std::size_t width = 8;
    for (const auto& r : rows) {
        fastest = std::min(fastest, r.median());
        width = std::max(width, r.device.size());
    }
    std::string text = fmt::format("{:<{}} {:>11} {:>11}", "device", width, "best", "median");
    for (const auto& r : rates) text += fmt::format(" {:>12}", r.title);
    text += fmt::format(" {:>10}   {:<13} {}\n", "of fastest", "error", "hardware");
    text += std::string(text.size() - 1, '-') + "\n";
    for (const auto& r : rows) text += row_text(r, rates, fastest, width);
    return text;
}

void write_csv(const std::filesystem::path& file, const std::vector<problem_rows>& problems)
{
    if (skelrt::rank() > 0) return;
    std::ofstream out(file);
    out << "device,hardware";
    for (const auto& [name, value] : problems.front().problem) out << ',' << name;
    out << ",runs,best_s,median_s";
    for (const auto& r : problems.front().rates)
        if (!r.name.empty()) out << ',' << r.name;
    out << ",relative_error\n";
    for (const auto& p : problems)
        for (const auto& m : p.rows) write_row(out, m, p);
    out.close();
    if (!out) throw input_error(fmt::format("--csv {}: cannot be written", file.string()));
}

bool all_good(const std::vector<measurement>& rows)
{
    return std::ranges::all_of(rows, [](const auto& r) { return r.check.good(); });
}

std::string check_text(const std::vector<measurement>& rows, const check_words& words)
{
    double absolute = 0;
    for (const auto& r : rows) absolute = std::max(absolute, r.check.absolute);
    const comparison& first = rows.front().check;
    std::string text = fmt::format("check: {} {}; {} {:.2g}{}; relative to\n{} at most {:.0e} is good: {}\n",
                                   first.samples, words.samples, words.error, absolute, words.unit, words.relative_to,
                                   first.tolerance, all_good(rows) ? "all good" : "WRONG");
    for (const auto& r : rows)
        if (!r.check.good()) text += fmt::format("  {}: {}\n", r.device, r.check.worst);
    return text;
}

std::string figure(const std::string& name, const std::vector<measurement>& rows, const std::string& device,
                   const std::string& other)
{
    const measurement *a = find(rows, device), *b = find(rows, other);
    return a && b ? fmt::format("figure: {} {:.3f}\n", name, a->median() / b->median()) : "";
}

std::string gpu_of(const std::vector<measurement>& rows) { return find(rows, "cuda") ? "cuda" : "opencl"; }

} // namespace apps
