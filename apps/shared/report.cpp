// SPDX-License-Identifier: BSD-3-Clause
#include "report.hpp"

#include "program.hpp"

#include <chrono>

#include <fmt/format.h>

namespace apps
{
namespace
{

std::string reference_text(const outcome& all)
{
    if (all.reference_seconds <= 0) return "";
    return fmt::format("the reference, plain loops on one core: {}, {:.2f} times what {} takes\n",
                       duration_text(all.reference_seconds), all.reference_seconds / all.problem.rows.front().median(),
                       all.problem.rows.front().device);
}

} // namespace

void tell_outcome(const common_options& o, const outcome& all)
{
    const auto& rows = all.problem.rows;
    fmt::print("{}\n", table_of(rows, all.problem.rates));
    if (o.check) fmt::print("{}{}", check_text(rows, all.words), reference_text(all));
}

int report(const common_options& o, const outcome& all)
{
    const auto& rows = all.problem.rows;
    tell_outcome(o, all);
    if (!o.csv.empty()) write_csv(o.csv, {all.problem});
    fmt::print("{}", figure(all.name + "_hybrid_vs_gpu", rows, "hybrid", gpu_of(rows)));
    return all_good(rows) ? all_well : failed;
}

double seconds_of(const std::function<void()>& run)
{
    const auto start = std::chrono::steady_clock::now();
    run();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace apps
