// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/program/option_list.hpp"
#include "src/bench/commands.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/race/rival_team.hpp"
#include "src/bench/shared/timing.hpp"
#include "src/bench/skeletons/scan_rivals.hpp"
#include "src/bench/stencils/star.hpp"
#include "src/bench/stencils/stencil_rivals.hpp"

#include <fmt/core.h>
#include <skelrt/skelrt.hpp>

#include <cmath>
#include <optional>
#include <stdexcept>

namespace bench
{
namespace
{

namespace sk = skelrt;

struct stencil_options {
    std::string device = "cpu";
    std::size_t n = 8192, volume = 512;
    int repeat = 9, batch = 0, steps = 100;
};

const auto mean =
    sk::stencil(SKELRT_FN((sk::hood2<float> u) { return 0.25f * (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1)); }),
                sk::border::constant(0.0f));

const auto line = sk::map(SKELRT_FN((float a, float x, float b) { return a * x + b; }));

/// Center, faces, edges and corners of a cube of 3 x 3 x 3, each with its weight.
const auto cube =
    sk::stencil(SKELRT_FN((sk::hood3<float> u) {
                    float faces = u(-1, 0, 0) + u(1, 0, 0) + u(0, -1, 0) + u(0, 1, 0) + u(0, 0, -1) + u(0, 0, 1);
                    float edges = u(-1, -1, 0) + u(-1, 1, 0) + u(1, -1, 0) + u(1, 1, 0) + u(-1, 0, -1) + u(-1, 0, 1) +
                                  u(1, 0, -1) + u(1, 0, 1) + u(0, -1, -1) + u(0, -1, 1) + u(0, 1, -1) + u(0, 1, 1);
                    float corners = u(-1, -1, -1) + u(-1, -1, 1) + u(-1, 1, -1) + u(-1, 1, 1) + u(1, -1, -1) +
                                    u(1, -1, 1) + u(1, 1, -1) + u(1, 1, 1);
                    return 0.5f * u(0, 0, 0) + 0.05f * faces + 0.0125f * edges + 0.00625f * corners;
                }),
                sk::border::constant(0.0f));

/// Steps one by one, or as many to a pass as skelrt likes.
class skelrt_stencil : public stencil_entrant
{
public:
    skelrt_stencil(std::size_t n, rival_team& helpers, bool one_by_one)
        : one_by_one_(one_by_one), x_(n, n, sk::uninitialized)
    {
        const auto view = sk::host_write(x_);
        float* const x = view.data();
        helpers.run([&] {
#pragma omp parallel for num_threads(helpers.threads()) schedule(static)
            for (std::size_t r = 0; r < n; ++r)
                for (std::size_t c = 0; c < n; ++c) x[r * n + c] = stencil_value(r, c);
        });
    }

    void steps(int n) override
    {
        if (one_by_one_)
            for (int k = 0; k < n; ++k) x_ = mean(x_);
        else x_ = mean.iterate(static_cast<std::size_t>(n), x_);
    }
    void wait() override { sk::wait(x_); }
    void look(std::size_t r, const std::function<void(const float*)>& see) override
    {
        see(sk::host_read(x_).data() + r * x_.cols());
    }

private:
    bool one_by_one_;
    sk::matrix<float> x_;
};

/// Seconds per step of `batch` steps from one grid to two others in turn, which need not wait for each other.
template <class Stencil, class Grid>
double independent_steps(const Stencil& f, const Grid& from, Grid (&to)[2], int batch)
{
    const double start = now();
    for (int k = 0; k < batch; ++k) to[k % 2] = f(from);
    sk::wait(to[0]);
    sk::wait(to[1]);
    return (now() - start) / batch;
}

double copies(scan_entrant& copy, int batch)
{
    const paused_starpu quiet;
    const double start = now();
    for (int k = 0; k < batch; ++k) copy.launch();
    copy.wait();
    return (now() - start) / batch;
}

/// Seconds for `n` steps at once; rivals run on the pinned OpenMP threads while StarPU's workers sleep.
double sample(stencil_entrant& e, rival_team* team, int n)
{
    double seconds = 0;
    const auto run = [&] {
        const double start = now();
        e.steps(n);
        e.wait();
        seconds = now() - start;
    };
    if (!team) return run(), seconds;
    const paused_starpu quiet;
    team->run(run);
    return seconds;
}

/// Both have made as many steps from the same grid.
void compare(stencil_entrant& a, stencil_entrant& b, std::size_t n, const char* what)
{
    for (std::size_t r : {std::size_t{0}, std::size_t{1}, n / 3, n / 2 + 1, n - 1}) {
        std::vector<float> row(n);
        a.look(r, [&](const float* x) { row.assign(x, x + n); });
        b.look(r, [&](const float* x) {
            for (std::size_t c = 0; c < n; ++c)
                if (!(std::abs(x[c] - row[c]) <= 1e-4f * (1 + std::abs(row[c]))))
                    throw std::runtime_error(
                        fmt::format("{}: ({}, {}) is {} here and {} there", what, r, c, row[c], x[c]));
        });
    }
}

double gb_per_s(double elements, double seconds) { return 2 * elements * sizeof(float) / seconds / 1e9; }

void five_points(report& out, const stencil_options& o, rival_team& team)
{
    const double elements = double(o.n) * double(o.n);
    out.heading(fmt::format("5 points, {0} x {0} floats", o.n));
    skelrt_stencil single(o.n, team, true), several(o.n, team, false);
    const bool gpu = o.device == "cuda";
    std::vector<contestant> who;
    sk::matrix<float> from(o.n, o.n, 1.0f), to[2] = {from, from};
    const auto rival = gpu ? nullptr : make_openmp_stencil(o.n, team);
    const auto copy = gpu ? make_cuda_scan(cuda_scan::copy, o.n * o.n) : nullptr;
    if (gpu) who.push_back({"skelrt, one step", [&] { return independent_steps(mean, from, to, o.batch); }});
    who.push_back(
        {gpu ? "skelrt, x = f(x)" : "skelrt, one step", [&] { return sample(single, nullptr, o.batch) / o.batch; }});
    if (rival) who.push_back({"OpenMP, one step", [&] { return sample(*rival, &team, o.batch) / o.batch; }});
    if (copy) who.push_back({"cudaMemcpyAsync", [&] { return copies(*copy, o.batch); }});
    const auto ones = alternate(who, 2, o.repeat);
    for (std::size_t i = 0; i < who.size(); ++i)
        out.row("stencil5", who[i].name, ones[i], gb_per_s(elements, ones[i].best), "GB/s");
    if (rival) compare(single, *rival, o.n, "5 points");

    skelrt_stencil stepwise(o.n, team, true);
    who = {{"skelrt, one by one", [&] { return sample(stepwise, nullptr, o.steps); }},
           {"skelrt, several to a pass", [&] { return sample(several, nullptr, o.steps); }}};
    const auto runs = alternate(who, 1, std::max(3, o.repeat / 3));
    for (std::size_t i = 0; i < who.size(); ++i)
        out.row(fmt::format("stencil5, {} steps", o.steps), who[i].name, runs[i],
                gb_per_s(elements * o.steps, runs[i].best), "GB/s");
    compare(stepwise, several, o.n, "5 points, several to a pass");

    if (rival) out.figure("cpu_stencil5_vs_openmp", ones[0].median / ones[1].median);
    if (copy) out.figure("gpu_stencil5_of_copy", ones[2].median / ones[0].median);
    out.figure(gpu ? "gpu_stencil5_steps" : "cpu_stencil5_steps", runs[0].median / runs[1].median);
}

void twenty_seven_points(report& out, const stencil_options& o)
{
    const std::size_t n = o.volume;
    const double elements = double(n) * double(n) * double(n);
    out.heading(fmt::format("27 points, {0} x {0} x {0} floats", n));
    sk::tensor<float, 3> x({n, n, n}, 1.0f), to[2] = {x, x};
    const auto copy = o.device == "cuda" ? make_cuda_scan(cuda_scan::copy, n * n * n) : nullptr;
    std::vector<contestant> who;
    who.push_back({"skelrt, one step", [&] { return independent_steps(cube, x, to, o.batch); }});
    who.push_back({"skelrt, x = f(x)", [&] {
                       const double start = now();
                       for (int k = 0; k < o.batch; ++k) x = cube(x);
                       sk::wait(x);
                       return (now() - start) / o.batch;
                   }});
    if (copy) who.push_back({"cudaMemcpyAsync", [&] { return copies(*copy, o.batch); }});
    const auto times = alternate(who, 2, o.repeat);
    for (std::size_t i = 0; i < who.size(); ++i)
        out.row("stencil27", who[i].name, times[i], gb_per_s(elements, times[i].best), "GB/s");
    if (copy) out.figure("gpu_stencil27_of_copy", times[2].median / times[0].median);
}

/// A map under the hoods: part of the kernel, or evaluated first.
void five_points_of_a_map(report& out, const stencil_options& o)
{
    const double elements = double(o.n) * double(o.n);
    out.heading(fmt::format("5 points of a map, {0} x {0} floats", o.n));
    const sk::matrix<float> from(o.n, o.n, 1.0f);
    sk::matrix<float> to[2] = {from, from};
    const auto sample = [&](bool fused) {
        const sk::fusion switched(fused);
        return independent_steps([](const auto& x) { return mean(line(0.5f, x, 1.0f)); }, from, to, o.batch);
    };
    const auto times = alternate({{"skelrt, one kernel", [&] { return sample(true); }},
                                  {"skelrt, the map first", [&] { return sample(false); }}},
                                 2, o.repeat);
    out.row("stencil5 of a map", "skelrt, one kernel", times[0], gb_per_s(elements, times[0].best), "GB/s");
    out.row("stencil5 of a map", "skelrt, the map first", times[1], gb_per_s(elements, times[1].best), "GB/s");
}

int stencil(report& out, stencil_options o)
{
    if (o.batch == 0) o.batch = o.device == "cuda" ? 20 : 2;
    const auto rt = start_runtime(o.device);
    out.note("devices:     " + devices_text(*rt));
    out.note("a step reads the grid once and writes it once; rates are of the best time, figures of the medians; "
             "contestants "
             "alternate");
    if (o.device == "cuda")
        out.note(fmt::format("{} asynchronous calls (copies), one wait, on the host's clock; data resident", o.batch));
    rival_team team;
    std::optional<sk::only> resident;
    if (o.device == "cuda") resident.emplace(sk::device::cuda);
    five_points(out, o, team);
    five_points_of_a_map(out, o);
    twenty_seven_points(out, o);
    if (o.device == "cpu") stars_without_border(out, team, o.repeat, o.batch);
    return 0;
}

} // namespace

runner declare_stencil(apps::option_list& line)
{
    auto o = std::make_shared<stencil_options>();
    line.one_of("--device", o->device, {"cpu", "cuda"},
                "cpu: against OpenMP loops; cuda: resident, against a device copy");
    line.positive("--n", o->n, "rows and columns of the matrix");
    line.positive("--volume", o->volume, "extents of the tensor");
    line.positive("--steps", o->steps, "steps of the iteration");
    line.positive("--repeat", o->repeat, "rounds");
    line.positive("--batch", o->batch, "calls per wait; default 2, on cuda 20");
    return [o](report& out) { return stencil(out, *o); };
}

} // namespace bench
