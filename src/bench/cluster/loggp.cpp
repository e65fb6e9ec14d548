// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/cluster/contest.hpp"
#include "src/bench/cluster/loggp_works.hpp"
#include "src/bench/cluster/lone_runtime.hpp"
#include "src/lowering/engine.hpp"
#include "src/lowering/replay/play.hpp"
#include "src/tool/calibrate/measure_network.hpp"

#include <fmt/core.h>
#include <starpu.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

namespace bench
{
namespace
{

namespace sk = skelrt;
using namespace sk::detail;

constexpr double us = 1e6; ///< of a second

/// Best times of all works, each that of the slowest rank: the network's parameters come from best times, too.
std::vector<double> times_of_works(const world& all, loggp_data& data, int rounds)
{
    std::vector<contestant> who;
    for (const loggp_work& w : loggp_works()) who.push_back({w.name, [&] { return all.time([&] { w.run(data); }); }});
    std::vector<double> best;
    constexpr int warm_up = 2;
    for (const summary& s : alternate(who, warm_up, rounds)) best.push_back(s.best * us);
    return best;
}

recording calls_of_works(const loggp_data::size& whole, unsigned cores)
{
    const own_file file;
    {
        const lone_runtime alone(cores, file.path());
        loggp_data data(whole);
        for (const loggp_work& w : loggp_works()) w.run(data);
    }
    recording all = read_recording(file.path());
    if (all.calls.size() != loggp_works().size())
        throw std::runtime_error(fmt::format("{} works made {} calls", loggp_works().size(), all.calls.size()));
    return all;
}

/// What happened between the ranks.
struct among_ranks {
    unsigned cores; ///< of each
    std::vector<double> works_us;
};

among_ranks run_among_ranks(const world& all, const loggp_data::size& whole, int rounds)
{
    const sk::runtime rt;
    loggp_data data(whole);
    return {starpu_cpu_worker_get_count(), times_of_works(all, data, rounds)};
}

} // namespace

network_peaks measured_network()
{
    const sk::tool::network_times t = sk::tool::measure_network(*engine::current());
    network_peaks n;
    if (sk::rank() == 0) n = fit_network(t.value_us, t.messages, t.us_in_a_row, t.copied_bytes_per_us);
    return sk::agree(n);
}

void bench_loggp(const world& all, const ranks_options& o, const network_peaks& n, report& out)
{
    const auto ranks = static_cast<unsigned>(all.size());
    const loggp_data::size whole{o.length, o.order, o.order};
    const loggp_data::size share{std::max<std::size_t>(o.length / ranks, 2), std::max<std::size_t>(o.order / ranks, 1),
                                 o.order};
    const among_ranks measured = run_among_ranks(all, whole, o.repeat);
    const recording calls = calls_of_works(whole, measured.cores);
    std::vector<double> shares_us;
    {
        const lone_runtime alone(measured.cores);
        loggp_data data(share);
        shares_us = times_of_works(all, data, o.repeat);
    }
    out.heading(
        fmt::format("calls over {} ranks: us beyond the local share, by the network's model and measured", ranks));
    fmt::print("a value {:.1f} us, a message {:.1f} us, one more {:.1f} us, {:.2f} GB/s, copies {:.2f} GB/s\n",
               n.value_us.value, n.message_us.value, n.overhead_us.value, n.bytes_per_us.value * 1e-3,
               n.copied_bytes_per_us.value * 1e-3);
    fmt::print("{:<16} {:>12} {:>12} {:>12} {:>9}\n", "", "share", "predicted", "measured", "error");
    for (std::size_t k = 0; k < loggp_works().size(); ++k) {
        const double predicted = us_beyond_share(calls, calls.calls[k], ranks, n, shares_us[k]);
        const double beyond = measured.works_us[k] - shares_us[k];
        // Where nothing is promised, what there is counts as a part of the whole.
        const double error =
            100 * std::abs(predicted - beyond) / (predicted > 0 ? std::abs(beyond) : measured.works_us[k]);
        fmt::print("{:<16} {:>12.1f} {:>12.1f} {:>12.1f} {:>7.0f} %\n", loggp_works()[k].name, shares_us[k], predicted,
                   beyond, error);
        out.figure(fmt::format("loggp_error_{}", loggp_works()[k].name), error);
    }
}

} // namespace bench
