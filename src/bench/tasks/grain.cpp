// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/tasks/grain.hpp"

#include "src/bench/shared/busy.hpp"
#include "src/bench/shared/race/rival_team.hpp"
#include "src/bench/tasks/costs.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

namespace bench
{

std::uint32_t next_cell(std::uint32_t cell, std::uint32_t one, std::uint32_t other, std::size_t rounds)
{
    keep(work_rounds(1, rounds));
    return 3 * cell + 5 * one + 7 * other + 1;
}

namespace
{

struct contender {
    std::string name;
    std::unique_ptr<grain_entrant> work;
    double us = 0, efficiency = 0; ///< of the tasks measured last: how long, and which share of the cores' time is work
    std::optional<double> smallest{}; ///< us; at which half of it is
};

constexpr double enough = 0.5, longest_us = 512, shortest_us = 0.1;

/// Seconds of a graph of as many tasks a step as there are cores.
double seconds(grain_entrant& work, std::size_t steps, std::size_t rounds)
{
    work.run(2 + steps / 20 * 2, rounds); // who slept is awake
    const double begin = now();
    work.run(steps, rounds);
    return now() - begin;
}

/// Between two durations, on a logarithmic scale.
void note(contender& c, double us, double efficiency)
{
    if (!c.smallest && c.efficiency >= enough && efficiency < enough) {
        const double share = (c.efficiency - enough) / (c.efficiency - efficiency);
        c.smallest = c.us * std::pow(us / c.us, share);
    }
    c.us = us;
    c.efficiency = efficiency;
}

void measure(report& out, std::vector<contender>& all, rival_team& team, double us, int repeat)
{
    constexpr double sample_us = 20'000;
    const auto steps = 2 * std::clamp<std::size_t>(static_cast<std::size_t>(sample_us / us / 2), 10, 5000);
    const std::size_t rounds = rounds_for(us);
    std::vector<contestant> who;
    for (contender& c : all)
        who.push_back({c.name, [&] {
                           if (&c != &all.back()) return seconds(*c.work, steps, rounds);
                           double took = 0;
                           team.run_alone([&] { took = seconds(*c.work, steps, rounds); });
                           return took;
                       }});
    const auto times = alternate(who, 1, repeat);
    std::string line = fmt::format("{:8.2f} us a task:", us);
    for (std::size_t k = 0; k < all.size(); ++k) {
        note(all[k], us, static_cast<double>(steps) * us * 1e-6 / times[k].best);
        line += fmt::format("   {} {:3.0f} %", all[k].name, 100 * all[k].efficiency);
    }
    out.note(line);
}

void compare_cells(const std::vector<contender>& all)
{
    for (const contender& c : all)
        if (c.work->cells() != all[0].work->cells())
            throw std::runtime_error(fmt::format("tasks: {} has other cells than {}", c.name, all[0].name));
}

} // namespace

void measure_grain(report& out, const task_options& o, skelrt::runtime&)
{
    rival_team team;
    const auto width = static_cast<std::size_t>(team.threads());
    std::vector<contender> all;
    all.push_back({"skelrt", make_skelrt_grain(width)});
    all.push_back({"raw StarPU", make_raw_grain(width)});
    all.push_back({"OpenMP", make_omp_grain(width)}); // the last one
    out.heading(
        fmt::format("a stencil's graph of {} cells, a task a cell: the cores' time that is work, best runs", width));
    for (double us = longest_us; us > shortest_us; us /= std::sqrt(2.0)) {
        measure(out, all, team, us, std::min(o.repeat, 5));
        if (std::ranges::all_of(all, [](const contender& c) { return c.smallest.has_value(); })) break;
    }
    compare_cells(all);
    for (const contender& c : all)
        if (!c.smallest)
            return out.warn(fmt::format("{}: no task was long enough to keep the cores half busy: no figure", c.name));
    out.note(fmt::format("smallest task that keeps the cores half busy: skelrt {:.2f} us, StarPU {:.2f}, OpenMP {:.2f}",
                         *all[0].smallest, *all[1].smallest, *all[2].smallest));
    out.figure("metg_vs_starpu", *all[0].smallest / *all[1].smallest);
    out.figure("metg_vs_omp", *all[0].smallest / *all[2].smallest);
}

} // namespace bench
