// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/cluster/contest.hpp"
#include "src/bench/cluster/loggp_works.hpp"
#include "src/bench/cluster/lone_runtime.hpp"
#include "src/lowering/engine.hpp"
#include "src/lowering/replay/play.hpp"
#include "src/program/of_one_rank.hpp"
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

struct times_of_ranks {
    unsigned cores; ///< of each rank
    std::vector<double> works_us, shares_us;
};

/// Best times of all works over the ranks, and of what each rank has of them as work of its own, in turns: what lies
/// between the two is small beside how much either changes from one runtime to the next. Each is that of the slowest
/// rank; the network's parameters come from best times, too.
times_of_ranks run_among_ranks(const world& all, const loggp_data::size& whole, const loggp_data::size& part,
                               int rounds)
{
    const sk::runtime rt;
    loggp_data data(whole);
    std::optional<loggp_data> share;
    {
        const of_one_rank own;
        share.emplace(part);
    }
    std::vector<contestant> who;
    for (const loggp_work& w : loggp_works()) {
        who.push_back({w.name, [&] { return all.time([&] { w.run(data); }); }});
        who.push_back({w.name, [&] {
                           return all.time([&] {
                               const of_one_rank own;
                               w.run(*share);
                           });
                       }});
    }
    constexpr int warm_up = 2;
    const std::vector<summary> times = alternate(who, warm_up, rounds);
    times_of_ranks found{starpu_cpu_worker_get_count(), {}, {}};
    for (std::size_t k = 0; k < times.size(); ++k)
        (k % 2 == 0 ? found.works_us : found.shares_us).push_back(times[k].best * us);
    return found;
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
    const loggp_data::size whole{o.loggp_length, o.loggp_order, o.loggp_order};
    const loggp_data::size share{std::max<std::size_t>(whole.length / ranks, 2),
                                 std::max<std::size_t>(whole.rows / ranks, 1), whole.cols};
    const times_of_ranks measured = run_among_ranks(all, whole, share, o.repeat);
    const std::vector<double>& shares_us = measured.shares_us;
    const recording calls = calls_of_works(whole, measured.cores);
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
