// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/program/option_list.hpp"
#include "src/bench/commands.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/race/rival_team.hpp"
#include "src/bench/streams/onepass_rivals.hpp"

#include <fmt/core.h>
#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <optional>
#include <stdexcept>

namespace bench
{
namespace
{

namespace sk = skelrt;
using vector = sk::vector<float>;

struct onepass_options {
    std::size_t n = std::size_t(64) << 20;
    std::vector<int> steps{std::begin(onepass_steps), std::end(onepass_steps)};
    int repeat = 9, warm_up = 3;
    bool uniform = false, rivals = true;
};

// ---- the work -------------------------------------------------------------------------------------------------------

/// y = f(x, y) with the number of steps in the function's text: each is a function, with models, of its own.
#define BENCH_PASS(STEPS)                                                                                              \
    [](const vector& x, vector& y) {                                                                                   \
        static const auto f = sk::map(SKELRT_FN((float x, float y) {                                                   \
            for (int j = 0; j < STEPS; ++j) y = y * 0.999f + x;                                                        \
            return y;                                                                                                  \
        }));                                                                                                           \
        y = f(x, y);                                                                                                   \
    }

void start_pass(int steps, const vector& x, vector& y)
{
    switch (steps) {
    case 1:
        return BENCH_PASS(1)(x, y);
    case 16:
        return BENCH_PASS(16)(x, y);
    case 64:
        return BENCH_PASS(64)(x, y);
    case 256:
        return BENCH_PASS(256)(x, y);
    default:
        return BENCH_PASS(1024)(x, y);
    }
}

#undef BENCH_PASS

/// One function for every number of steps: its models see a cost that changes from call to call.
void start_uniform_pass(int steps, const vector& x, vector& y)
{
    static const auto f = sk::map(SKELRT_FN((int steps, float x, float y) {
        for (int j = 0; j < steps; ++j) y = y * 0.999f + x;
        return y;
    }));
    y = f(steps, x, y);
}

/// Where a pass may run.
struct mode {
    std::string name;
    std::optional<sk::device_set> only;
};

class passes
{
public:
    passes(const onepass_options& o, rival_team& helpers) : o_(o), helpers_(helpers), x_(o.n, 1.0f), y_(o.n, 2.0f) {}

    /// Seconds from data in host memory to the result in host memory.
    double pass(const mode& m, int steps)
    {
        {
            // Writing views: no device keeps a copy.
            const auto x = sk::host(x_), y = sk::host(y_);
        }
        const double start = now();
        {
            std::optional<sk::only> only;
            if (m.only) only.emplace(*m.only);
            if (o_.uniform) start_uniform_pass(steps, x_, y_);
            else start_pass(steps, x_, y_);
            const auto result = sk::host_read(y_);
        }
        return now() - start;
    }

    /// One pass from known values; looks at every element.
    void check(const mode& m, int steps)
    {
        fill();
        pass(m, steps);
        std::array<float, period> right;
        for (std::size_t i = 0; i < period; ++i) right[i] = reference(steps, first_value(i));
        const auto view = sk::host_read(y_);
        const float* const y = view.data();
        std::atomic<std::size_t> wrong{0};
        helpers_.run([&] {
#pragma omp parallel for num_threads(helpers_.threads()) schedule(static)
            for (std::size_t i = 0; i < o_.n; ++i)
                if (!(std::abs(y[i] - right[i % period]) <= 1e-4f * right[i % period])) ++wrong;
        });
        if (wrong > 0)
            throw std::runtime_error(fmt::format("onepass, {}, K = {}: {} elements are wrong", m.name, steps, wrong));
    }

private:
    static constexpr std::size_t period = 1021; // no divisor of a tile: misplaced elements are seen
    static float first_value(std::size_t i) { return 2 + float(i % period) / period; }
    static float reference(int steps, double y)
    {
        for (int j = 0; j < steps; ++j) y = y * double(0.999f) + 1;
        return float(y);
    }

    void fill()
    {
        const auto view = sk::host_write(y_);
        float* const y = view.data();
        helpers_.run([&] {
#pragma omp parallel for num_threads(helpers_.threads()) schedule(static)
            for (std::size_t i = 0; i < o_.n; ++i) y[i] = first_value(i);
        });
    }

    const onepass_options& o_;
    rival_team& helpers_;
    vector x_, y_;
};

// ---- measuring ------------------------------------------------------------------------------------------------------

struct rivals {
    std::unique_ptr<onepass_rival> openmp, blocked, cuda;
};

void add_rivals(std::vector<contestant>& all, const rivals& r, int steps)
{
    if (r.openmp) all.push_back({"OpenMP", [&r, steps] { return r.openmp->pass(steps); }});
    if (r.blocked) all.push_back({"OpenMP, blocked", [&r, steps] { return r.blocked->pass(steps); }});
    if (r.cuda)
        all.push_back({"CUDA by hand", [&r, steps] {
                           const paused_starpu quiet;
                           return r.cuda->pass(steps);
                       }});
}

void measure_steps(report& out, const onepass_options& o, passes& p, const std::vector<mode>& modes, const rivals& r,
                   int steps)
{
    for (const mode& m : modes) p.check(m, steps);
    std::vector<contestant> all;
    for (const mode& m : modes) all.push_back({m.name, [&p, &m, steps] { return p.pass(m, steps); }});
    add_rivals(all, r, steps);
    const auto times = alternate(all, o.warm_up, o.repeat);
    for (std::size_t i = 0; i < all.size(); ++i)
        out.row(fmt::format("K = {}", steps), all[i].name, times[i], 2.0 * steps * double(o.n) / times[i].median / 1e9,
                "GFlop/s");
    double best = times[1].median;
    for (std::size_t i = 1; i < modes.size(); ++i) best = std::min(best, times[i].median);
    out.figure(fmt::format("onepass_K{}_vs_best", steps), times[0].median / best);
}

/// Automatic comes first, then each kind of device alone.
std::vector<mode> modes_of(const sk::runtime& rt)
{
    std::vector<mode> modes{{"automatic", {}}, {"CPU only", sk::device::cpu}};
    if (has_cuda(rt)) modes.push_back({"CUDA only", sk::device::cuda});
    return modes;
}

int onepass(report& out, const onepass_options& o)
{
    const auto rt = start_runtime("hybrid");
    out.note("devices:     " + devices_text(*rt));
    out.note(fmt::format("K times y = y * 0.999 + x; data in host memory before and after each pass; automatic learns "
                         "for {} passes that do not count; contestants alternate; figures and GFlop/s: medians",
                         o.warm_up));
    if (!has_cuda(*rt)) out.warn("no CUDA device in use: the only single device is the CPU");
    rival_team team;
    passes p(o, team);
    rivals r;
    if (o.rivals) r.openmp = make_onepass_openmp(openmp_way::plain, o.n, team);
    if (o.rivals) r.blocked = make_onepass_openmp(openmp_way::blocked, o.n, team);
    if (o.rivals && has_cuda(*rt)) r.cuda = make_onepass_cuda(o.n);
    const auto modes = modes_of(*rt);
    out.heading(fmt::format("{} floats{}", o.n, o.uniform ? ", K as an argument of one function" : ""));
    for (const int steps : o.steps) measure_steps(out, o, p, modes, r, steps);
    return 0;
}

} // namespace

runner declare_onepass(apps::option_list& line)
{
    auto o = std::make_shared<onepass_options>();
    line.positive("--n", o->n, "elements");
    line.one_of("--k", o->steps, std::vector<int>(std::begin(onepass_steps), std::end(onepass_steps)),
                "multiply-adds per element, of 1 16 64 256 1024");
    line.positive("--repeat", o->repeat, "rounds");
    line.not_negative("--warm-up", o->warm_up, "rounds before");
    line.flag("--uniform", o->uniform, "K as an argument: one function, hence one model, for every K");
    line.flag("--rivals,!--no-rivals", o->rivals, "also time plain OpenMP and hand-made CUDA");
    return [o](report& out) { return onepass(out, *o); };
}

} // namespace bench
