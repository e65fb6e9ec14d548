// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/shared/report.hpp"

#include "src/bench/shared/figures.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace bench
{

std::string show_time(double seconds)
{
    const double size = std::abs(seconds);
    if (size >= 1) return fmt::format("{:.3f} s", seconds);
    if (size >= 1e-3) return fmt::format("{:.3f} ms", seconds * 1e3);
    if (size >= 1e-6) return fmt::format("{:.3f} us", seconds * 1e6);
    return fmt::format("{:.1f} ns", seconds * 1e9);
}

void report::heading(const std::string& text)
{
    fmt::print("\n{}\n{:<26} {:<22} {:>12} {:>12} {:>8} {:>14}\n", text, "work", "who", "best", "median", "spread",
               "rate");
    std::fflush(stdout);
}

void report::note(const std::string& text)
{
    fmt::print("{}\n", text);
    std::fflush(stdout);
}

void report::warn(const std::string& text)
{
    fmt::print("warning: {}\n", text);
    std::fflush(stdout);
    warnings_.push_back(text);
}

void report::row(const std::string& work, const std::string& who, const summary& time, double rate,
                 const std::string& unit)
{
    fmt::print("{:<26} {:<22} {:>12} {:>12} {:>7.1f}%{} {:>13}\n", work, who, show_time(time.best),
               show_time(time.median), time.spread * 100, time.noisy() ? '!' : ' ',
               rate > 0 ? fmt::format("{:.1f} {}", rate, unit) : "");
    std::fflush(stdout);
    lines_.push_back({work, who, time, rate, unit});
}

void report::keep_row(const std::string& work, const std::string& who, const summary& time)
{
    lines_.push_back({work, who, time, 0, {}});
}

void report::figure(const std::string& name, double value) { figures_.emplace_back(name, value); }

void report::finish(const std::string& benchmark, const std::string& csv) const
{
    if (!csv.empty()) write_csv(benchmark, csv);
    fmt::print("\n");
    const auto noisy = std::count_if(lines_.begin(), lines_.end(), [](const line& l) { return l.time.noisy(); });
    if (noisy > 0)
        fmt::print("warning: {} of {} rows are noisy (marked !): is the machine busy?\n", noisy, lines_.size());
    for (const auto& w : warnings_) fmt::print("warning: {}\n", w);
    for (const auto& [name, value] : figures_) {
        const figure_kind* kind = find_figure(name);
        if (!kind) continue;
        fmt::print("{:<22} {:>9.3f}  bar {} {:<5} {}  {}\n", name, value, kind->more_is_better ? ">=" : "<=", kind->bar,
                   kind->meets(value) ? "met   " : "MISSED", kind->meaning);
    }
    fmt::print("\n");
    for (const auto& [name, value] : figures_) fmt::print("figure: {} {:.4g}\n", name, value);
    std::fflush(stdout);
}

void report::write_csv(const std::string& benchmark, const std::string& file) const
{
    std::ofstream out(file);
    out << "benchmark,work,who,best_s,median_s,spread,samples,rate,unit\n";
    for (const line& l : lines_)
        out << fmt::format("{},\"{}\",\"{}\",{:.9g},{:.9g},{:.4f},{},{:.6g},{}\n", benchmark, l.work, l.who,
                           l.time.best, l.time.median, l.time.spread, l.time.samples, l.rate, l.unit);
    for (const auto& [name, value] : figures_) out << fmt::format("{},figure,{},,,,,{:.6g},\n", benchmark, name, value);
    if (!out.flush()) throw std::runtime_error("cannot write " + file);
}

} // namespace bench
