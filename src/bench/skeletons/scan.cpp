// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/program/option_list.hpp"
#include "src/bench/commands.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/race/race.hpp"
#include "src/bench/skeletons/scan_rivals.hpp"

#include <fmt/core.h>
#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <stdexcept>

namespace bench
{
namespace
{

namespace sk = skelrt;

class skelrt_entrant : public scan_entrant
{
public:
    skelrt_entrant(std::size_t n, rival_team& helpers) : x_(n, sk::uninitialized), y_(n, -1e9f)
    {
        fill(x_, helpers, scan_value);
    }

    void launch() override { y_ = sums_(x_); }
    void wait() override { sk::wait(y_); }
    void look(const std::function<void(const float*)>& see) override { see(sk::host_read(y_).data()); }

private:
    sk::vector<float> x_, y_;
    sk::scan<decltype(sk::plus)::lambda, void*> sums_{sk::plus};
};

/// One of them moves as many bytes, but does not scan.
struct scanner : entrant<scan_entrant> {
    bool scans = true;

    void check(std::size_t n) const
    {
        if (!scans) return;
        work->launch();
        work->wait();
        work->look([&](const float* y) {
            float sum = 0;
            for (std::size_t i = 0; i < n; ++i) {
                sum += scan_value(i);
                if (y[i] != sum)
                    throw std::runtime_error(fmt::format("scan, {}: y[{}] is {} instead of {}", name, i, y[i], sum));
            }
        });
    }
};

std::vector<scanner> gather(const race_options& o, rival_team& team)
{
    std::vector<scanner> all;
    const auto add = [&](const char* name, std::unique_ptr<scan_entrant> work, runs_as who, bool scans = true) {
        if (work) all.push_back({{name, std::move(work), who}, scans});
    };
    add("skelrt", std::make_unique<skelrt_entrant>(o.n, team), runs_as::skelrt);
    if (o.on_gpu()) {
        add("CUB", make_cuda_scan(cuda_scan::cub, o.n), runs_as::rival);
        add("cudaMemcpyAsync", make_cuda_scan(cuda_scan::copy, o.n), runs_as::rival, false);
    } else {
        add("OpenMP", make_openmp_scan(openmp_scan::plain, o.n, team), runs_as::team);
        add("OpenMP, inscan", make_openmp_scan(openmp_scan::inscan, o.n, team), runs_as::team);
    }
    return all;
}

int scan(report& out, race_options o)
{
    complete_race(o);
    const auto rt = start_runtime(o.device);
    out.note("devices:     " + devices_text(*rt));
    out.note(
        "inclusive sums of floats into a second array; bytes: each element read once and written once; rates are of "
        "the best time, figures of the medians; contestants alternate");
    if (o.on_gpu())
        out.note(
            fmt::format("{0} asynchronous calls (launches), one wait, on the host's clock; data resident", o.batch));
    else
        out.note("rivals: two passes, a contiguous part for each thread, pinned to the CPU workers' cores; StarPU's "
                 "workers sleep meanwhile; the figure is against the better one");
    rival_team team;
    const sk::only kind(o.kind());
    const auto all = gather(o, team);
    for (const scanner& e : all) e.check(o.n);
    out.heading(fmt::format("{} floats", o.n));
    const auto times = race(out, "scan", all, team, o, 2.0 * double(o.n) * sizeof(float));
    for (const scanner& e : all) e.check(o.n);
    if (!o.on_gpu()) out.figure("cpu_scan_vs_openmp", times[0].median / std::min(times[1].median, times[2].median));
    else if (all.size() > 1) out.figure("gpu_scan_vs_cub", times[1].median / times[0].median);
    return 0;
}

} // namespace

runner declare_scan(apps::option_list& line)
{
    auto o = std::make_shared<race_options>(race_options{std::size_t{64} << 20, std::size_t{256} << 20, 15, 20});
    declare_race(line, *o, "cpu: against OpenMP loops; cuda: resident, against CUB", "elements");
    return [o](report& out) { return scan(out, *o); };
}

} // namespace bench
