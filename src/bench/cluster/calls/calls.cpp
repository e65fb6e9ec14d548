// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/cluster/contest.hpp"
#include "src/bench/cluster/lone_runtime.hpp"

#include <fmt/core.h>
#include <skelrt/skelrt.hpp>
#include <starpu.h>

#include <functional>

namespace bench
{
namespace
{

namespace sk = skelrt;

constexpr std::size_t per_rank = 1000;
constexpr int maps = 5000, steps = 40; ///< of a sample; fewer steps than may be in flight

const auto twice = sk::map(SKELRT_FN((float x) { return 2.0f * x; }));
const auto heat =
    sk::stencil(SKELRT_FN((sk::hood2<double> u) { return 0.25 * (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1)); }),
                sk::border::constant(0.0));

/// Microseconds of a call that has no messages.
double map_us(const world& all, std::size_t length, int rounds)
{
    sk::vector<float> x(length, 1.0f);
    const auto sample = [&] {
        return all.time([&] {
            for (int k = 0; k < maps; ++k) x = twice(x);
            sk::wait(x);
        });
    };
    return alternate({{"maps", sample}}, 2, rounds)[0].median * 1e6 / maps;
}

/// Microseconds that the program needs to make a call with two neighbours.
double submission_us(const world& all, int rounds)
{
    const std::size_t lines = 200 * static_cast<std::size_t>(all.size());
    sk::matrix<double> even(lines, 1000, 1.0), odd(lines, 1000, 0.0);
    const auto sample = [&] {
        sk::barrier();
        const double seconds = all.time([&] {
            for (int k = 0; k < steps; k += 2) {
                odd = heat(even);
                even = heat(odd);
            }
        });
        sk::wait(even);
        return seconds;
    };
    return alternate({{"steps", sample}}, 2, rounds)[0].median * 1e6 / steps;
}

} // namespace

void bench_calls(const world& all, const ranks_options& o, report& out)
{
    double over_ranks = 0, submission = 0, alone = 0;
    unsigned cores = 0;
    {
        const sk::runtime rt;
        cores = starpu_cpu_worker_get_count();
        over_ranks = map_us(all, per_rank * static_cast<std::size_t>(all.size()), o.repeat);
        submission = submission_us(all, o.repeat);
    }
    {
        const lone_runtime rt(cores);
        alone = map_us(all, per_rank, o.repeat);
    }
    out.heading(fmt::format("calls over {} ranks: a map of {} floats a rank {:.3f} us, alone {:.3f} us; a step of a "
                            "stencil is submitted in {:.1f} us",
                            all.size(), per_rank, over_ranks, alone, submission));
    out.figure("cluster_call_us", over_ranks - alone);
    out.figure("cluster_submit_us", submission);
}

} // namespace bench
