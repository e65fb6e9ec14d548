// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/bench/shared/race/rival_team.hpp"
#include "src/bench/shared/report.hpp"

#include <skelrt/skelrt.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace apps
{
class option_list;
}

namespace bench
{

/// What a race of skelrt against its rivals is told: the device, and how much of what.
struct race_options {
    std::size_t cpu_n, cuda_n; ///< defaults of n
    int repeat;                ///< rounds
    int cuda_batch;            ///< default of batch; on CPUs 1
    std::string device = "cpu";
    std::size_t n = 0;
    int batch = 0; ///< calls that are waited for together

    bool on_gpu() const { return device == "cuda"; }
    skelrt::device kind() const { return on_gpu() ? skelrt::device::cuda : skelrt::device::cpu; }
};

/// Declares the options; `rivals`: what --device says, `what_n_is`: what --n counts.
void declare_race(apps::option_list& line, race_options& o, const char* rivals, const char* what_n_is);
/// n and batch, where the command line said nothing.
void complete_race(race_options& o);

/// One who runs, with launch() and wait().
template <class Work>
struct entrant {
    std::string name;
    std::unique_ptr<Work> work;
    runs_as who = runs_as::skelrt;
};

/// Times of all entrants, taken in turn.
template <class Entrant>
std::vector<summary> race(const std::vector<Entrant>& all, rival_team& team, const race_options& o, int warm_up)
{
    std::vector<contestant> who;
    for (const Entrant& e : all) who.push_back({e.name, [&] { return sample_batch(*e.work, e.who, team, o.batch); }});
    return alternate(who, warm_up, o.repeat);
}

/// The same with a row for each entrant, who has done so much of `unit` a launch.
template <class Entrant>
std::vector<summary> race(report& out, const std::string& what, const std::vector<Entrant>& all, rival_team& team,
                          const race_options& o, double done, const char* unit = "GB/s")
{
    constexpr int warm_up = 2;
    constexpr double giga = 1e9;
    std::vector<summary> times = race(all, team, o, warm_up);
    for (std::size_t i = 0; i < all.size(); ++i)
        out.row(what, all[i].name, times[i], done / times[i].best / giga, unit);
    return times;
}

/// value(i) at every place; each page is touched first by the thread that will read it.
template <class Value>
void fill(skelrt::vector<float>& to, rival_team& helpers, Value value)
{
    const auto view = skelrt::host_write(to);
    float* const x = view.data();
    const std::size_t n = to.size();
    helpers.run([&] {
#pragma omp parallel for num_threads(helpers.threads()) schedule(static)
        for (std::size_t i = 0; i < n; ++i) x[i] = value(i);
    });
}

} // namespace bench
