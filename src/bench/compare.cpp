// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/program/option_list.hpp"
#include "src/bench/commands.hpp"
#include "src/bench/shared/figures.hpp"

#include <fmt/core.h>

#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>

namespace bench
{
namespace
{

struct compare_options {
    std::string before, after;
    double tolerance = 0.1;
};

/// The lines "figure: NAME VALUE" of a benchmark's output.
std::map<std::string, double> read_figures(const std::string& file)
{
    std::ifstream in(file);
    if (!in) throw std::runtime_error("cannot read " + file);
    std::map<std::string, double> all;
    for (std::string text; std::getline(in, text);) {
        std::istringstream line(text);
        std::string label, name;
        double value;
        if (line >> label >> name >> value && label == "figure:") all[name] = value;
    }
    if (all.empty()) throw std::runtime_error(file + " has no line \"figure: NAME VALUE\"");
    return all;
}

/// How much worse `after` is, as a part of `before`; negative: better.
double worsening(const std::string& name, double before, double after)
{
    const figure_kind* kind = find_figure(name);
    const double change = before == 0 ? 0 : (after - before) / std::abs(before);
    return kind && kind->more_is_better ? -change : change;
}

int compare(const compare_options& o)
{
    const auto before = read_figures(o.before), after = read_figures(o.after);
    int worse = 0;
    fmt::print("{:<24} {:>10} {:>10} {:>9}\n", "figure", "before", "after", "change");
    for (const auto& [name, value] : after) {
        const auto old = before.find(name);
        if (old == before.end()) {
            fmt::print("{:<24} {:>10} {:>10.4g}\n", name, "-", value);
            continue;
        }
        const double by = worsening(name, old->second, value);
        const char* verdict = by > o.tolerance ? "worse" : by < -o.tolerance ? "better" : "";
        fmt::print("{:<24} {:>10.4g} {:>10.4g} {:>+8.1f}% {}\n", name, old->second, value,
                   old->second == 0 ? 0.0 : (value / old->second - 1) * 100, verdict);
        worse += by > o.tolerance;
    }
    for (const auto& [name, value] : before)
        if (!after.contains(name)) fmt::print("{:<24} {:>10.4g} {:>10}\n", name, value, "-");
    return worse > 0 ? 1 : 0;
}

} // namespace

runner declare_compare(apps::option_list& line)
{
    auto o = std::make_shared<compare_options>();
    line.required("before", o->before, "output of an earlier run");
    line.required("after", o->after, "output of a later run");
    line.option("--tolerance", o->tolerance, "change that counts, as a part of the old value");
    return [o](report&) { return compare(*o); };
}

} // namespace bench
