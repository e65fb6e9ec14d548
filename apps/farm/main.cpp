// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"
#include "reference.hpp"
#include "study.hpp"

#include "apps/shared/devices.hpp"
#include "apps/shared/program.hpp"
#include "apps/shared/table.hpp"

#include <cstdio>
#include <optional>

#include <fmt/format.h>

namespace farm
{
namespace
{

/// A way to do the study, and what it took on each device.
struct way {
    const char* name;
    findings (*study)(const samples&);
    std::vector<apps::measurement> rows{};
};

struct problem {
    samples data;
    std::optional<findings> right; ///< with --check
};

apps::measurement measure_device(const std::string& device, const way& w, const problem& p, int repeat,
                                 const skelrt::runtime& rt)
{
    findings found;
    auto result = apps::measure(device, rt, repeat, [&] { found = w.study(p.data); });
    if (p.right) result.check = compare(found, *p.right);
    return result;
}

std::vector<apps::rate> rates_of(const options& o)
{
    return {{"studies/s", static_cast<double>(4 * o.count + 3), "studies_per_s"}};
}

void write_csv(const options& o, const std::vector<way>& ways)
{
    std::vector<apps::problem_rows> all;
    for (const way& w : ways)
        all.push_back({{{"way", w.name}, {"count", std::to_string(o.count)}, {"size", std::to_string(o.size)}},
                       w.rows,
                       rates_of(o)});
    apps::write_csv(o.csv, all);
}

/// Of the last device: all at once, if there are several.
std::string figure_of(const way& in_turn, const way& at_once)
{
    return fmt::format("figure: farm_speedup {:.3f}\n", in_turn.rows.back().median() / at_once.rows.back().median());
}

int run(const options& o)
{
    problem p{make_samples(o.count, o.size), {}}; // before the runtime: every rank has all samples
    if (o.check) p.right = plain_findings(p.data);
    const skelrt::runtime rt;
    const auto devices = apps::devices_for(o.device, rt);
    std::vector<way> ways{{"calls", study_in_turn}, {"farms", study_at_once}};
    bool good = true;
    for (way& w : ways) {
        fmt::print("{0} plates, {0} pictures of {1} x {1} and a signal, by {2}\n\n", o.count, o.size, w.name);
        std::fflush(stdout);
        for (const auto& device : devices) w.rows.push_back(measure_device(device, w, p, o.repeat, rt));
        fmt::print("{}\n", apps::table_of(w.rows, rates_of(o)));
        if (o.check) fmt::print("{}\n", apps::check_text(w.rows, {"values by plain loops", "", "themselves"}));
        good = good && apps::all_good(w.rows);
    }
    if (!o.csv.empty()) write_csv(o, ways);
    fmt::print("{}", figure_of(ways[0], ways[1]));
    return good ? apps::all_well : apps::failed;
}

} // namespace
} // namespace farm

int main(int argc, char** argv)
{
    return apps::run_program("farm", [&] {
        const auto options = farm::read_options(argc, argv);
        return options ? farm::run(*options) : apps::all_well;
    });
}
