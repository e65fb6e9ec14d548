// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/program/option_list.hpp"
#include "src/bench/commands.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/race/race.hpp"

#include <fmt/core.h>
#include <skelrt/skelrt.hpp>

#include <stdexcept>

namespace bench
{
namespace
{

namespace sk = skelrt;

struct residency_options {
    std::size_t n = 64'000'000;
    int steps = 100, repeat = 7, warm_up = 3;
};

const auto decay = sk::map(SKELRT_FN((float x, float y) { return y * 0.999f + x; }));

/// y = f(x, y) again and again; automatic placement is told nothing of how often.
class steps
{
public:
    steps(const residency_options& o, rival_team& helpers)
        : o_(o), x_(o.n, sk::uninitialized), y_(o.n, sk::uninitialized)
    {
        fill(x_, helpers, [](std::size_t) { return 1.0f; });
        fill(y_, helpers, [](std::size_t) { return 2.0f; });
    }

    double from_host()
    {
        go_home();
        return timed(o_.steps);
    }
    double from_gpu()
    {
        go_to_gpu();
        return timed(o_.steps);
    }
    /// One step on the GPU, with and without the data there: the difference is the transfer.
    double transfer()
    {
        const sk::only gpu(sk::device::cuda);
        go_home();
        const double with = timed(1);
        return std::max(0.0, with - timed(1));
    }

private:
    void go_home() { static_cast<void>(sk::host(x_)), static_cast<void>(sk::host(y_)); }
    void go_to_gpu()
    {
        const sk::only gpu(sk::device::cuda);
        timed(1);
    }
    double timed(int count)
    {
        const double start = now();
        for (int i = 0; i < count; ++i) y_ = decay(x_, y_);
        sk::wait(y_);
        return now() - start;
    }

    const residency_options& o_;
    sk::vector<float> x_, y_;
};

int residency(report& out, const residency_options& o)
{
    const auto rt = start_runtime("hybrid");
    out.note("devices:     " + devices_text(*rt));
    if (!has_cuda(*rt)) throw std::runtime_error("no CUDA device is in use");
    rival_team helpers;
    steps s(o, helpers);
    const auto times = alternate({{"from the host", [&] { return s.from_host(); }},
                                  {"on the GPU", [&] { return s.from_gpu(); }},
                                  {"transfer", [&] { return s.transfer(); }}},
                                 o.warm_up, o.repeat);
    out.heading(fmt::format("{} steps of y = f(x, y), {} floats", o.steps, o.n));
    out.row("steps", "from the host", times[0]);
    out.row("steps", "on the GPU", times[1]);
    out.row("transfer", "to the GPU", times[2]);
    out.figure(fmt::format("residency_{}", o.steps), times[0].median / (times[1].median + times[2].median));
    return 0;
}

} // namespace

runner declare_residency(apps::option_list& line)
{
    auto o = std::make_shared<residency_options>();
    line.positive("--n", o->n, "elements");
    line.positive("--steps", o->steps, "in a row");
    line.positive("--repeat", o->repeat, "rounds");
    return [o](report& out) { return residency(out, *o); };
}

} // namespace bench
