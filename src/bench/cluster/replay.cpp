// SPDX-License-Identifier: BSD-3-Clause
#include "apps/jacobi/kernel.hpp"
#include "src/bench/cluster/contest.hpp"
#include "src/bench/cluster/lone_runtime.hpp"
#include "src/cluster/network/network.hpp"
#include "src/lowering/replay/play.hpp"
#include "src/model/files/files.hpp"

#include <fmt/core.h>
#include <starpu.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <stdexcept>

#include <unistd.h>

namespace bench
{
namespace
{

namespace sk = skelrt;
using namespace sk::detail;

/// Jacobi's steps on a grid of some shape, and the wait for their result.
class steps_on_grid
{
public:
    steps_on_grid(std::size_t rows, std::size_t cols, std::size_t steps)
        : zero_(rows, cols, 0.0), now_(rows, cols, sk::uninitialized), source_(rows, cols, 1.0), steps_(steps)
    {
    }
    void run()
    {
        jacobi::solve(now_, zero_, source_, 1e-3, steps_);
        sk::wait(now_);
    }

private:
    jacobi::grid zero_, now_, source_;
    std::size_t steps_;
};

/// The calls of so many steps, once those before have taught what they take.
recording recorded_steps(std::size_t rows, std::size_t cols, std::size_t steps, unsigned cores)
{
    const own_file file;
    {
        const lone_runtime alone(cores, file.path());
        steps_on_grid grid(rows, cols, steps);
        for (int k = 0; k < 3; ++k) grid.run();
    }
    recording all = read_recording(file.path());
    all.calls.erase(all.calls.begin(), all.calls.end() - static_cast<std::ptrdiff_t>(steps));
    all.iterations = {all.iterations.back()};
    all.iterations[0].first = 0;
    return all;
}

/// The best of MPI programs that make several steps an exchange: more lines travel less often, and those near the
/// borders are computed twice. Inner lines are computed while others travel.
double deep_halo_us(const recording& r, unsigned ranks, const network_peaks& n)
{
    const recorded_call& step = r.calls.front();
    const double rows = static_cast<double>(step.rows) / ranks, width = static_cast<double>(step.cols);
    double row_us = std::numeric_limits<double>::infinity();
    for (const recorded_cost& c : r.costs)
        if (c.recipe == step.recipe) row_us = std::min(row_us, c.element_us * width);
    double best = std::numeric_limits<double>::infinity();
    for (double deep = 1; deep <= rows; ++deep) {
        const double bytes = deep * width * sizeof(double);
        const std::vector<message> lines{{0, 1, bytes}, {0, 2, bytes}, {1, 0, bytes}, {2, 0, bytes}};
        const double travel = busiest_us(cost_of_messages(n), 3, lines);
        const double inner = std::max(rows - 2, 0.0) * row_us, all = (rows * deep + deep * (deep - 1)) * row_us;
        best = std::min(best, (std::max(travel, inner) + all - inner) / deep);
    }
    return best * static_cast<double>(r.calls.size());
}

network_peaks network_from(const std::filesystem::path& file)
{
    const auto text = read_file(file);
    if (!text) throw std::runtime_error(fmt::format("{}: there is no such file", file.string()));
    return machine_from_json(*text).network;
}

} // namespace

void bench_replay(const world& all, const ranks_options& o, const network_peaks& n, report& out)
{
    const std::size_t points = o.size - 2;
    unsigned cores = 0;
    double real = 0;
    {
        const sk::runtime rt;
        cores = starpu_cpu_worker_get_count();
        steps_on_grid grid(points, points, o.steps);
        constexpr int warm_up = 2;
        real = alternate({{"jacobi", [&] { return all.time([&] { grid.run(); }); }}}, warm_up, o.repeat)[0].best * 1e6;
    }
    const recording calls = recorded_steps(points, points, o.steps, cores);
    const replayed played = replay(calls, static_cast<unsigned>(all.size()), {"cpu", o.speed, n});
    out.heading(fmt::format("jacobi of {0} x {0} points, {1} steps: replayed {2:.0f} us, real {3:.0f} us", o.size,
                            o.steps, played.us, real));
    out.figure(fmt::format("replay_over_real_P{}", all.size()), played.us / real);
}

void bench_scale(const ranks_options& o, report& out)
{
    constexpr unsigned ranks = 1024;
    const auto cores = static_cast<unsigned>(std::max(sysconf(_SC_NPROCESSORS_ONLN), 1L));
    const recording part = recorded_steps(o.rows_a_rank, o.size, o.steps, cores);
    const recording whole = recorded_steps(o.size, o.size, o.steps, cores);
    double weak = std::numeric_limits<double>::infinity(), strong = 0;
    out.heading(
        fmt::format("jacobi, {} steps, replayed on {} nodes {} times as fast as this one", o.steps, ranks, o.speed));
    for (const std::string& file : o.networks) {
        const replay_options how{"cpu", o.speed, network_from(file)};
        const replayed one = replay(part, 1, how), many = replay(grown(part, ranks), ranks, how);
        const replayed same = replay(whole, ranks, how);
        recording faster = whole;
        for (recorded_cost& c : faster.costs) c.element_us /= o.speed;
        const double rival = deep_halo_us(faster, ranks, how.network);
        fmt::print(
            "{}\n  {} x {} points a rank: {:.0f} us on 1, {:.0f} us on {}\n  {} x {} points in all: {:.0f} us; deep "
            "halos by hand {:.0f} us\n",
            file, o.rows_a_rank, o.size, one.us, many.us, ranks, o.size, o.size, same.us, rival);
        weak = std::min(weak, one.us / many.us);
        strong = std::max(strong, same.us / rival);
    }
    out.figure("weak_1024", weak);
    out.figure("strong_1024", strong);
}

} // namespace bench
