// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/commands.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/race/rival_team.hpp"
#include "src/bench/shared/timing.hpp"
#include "src/bench/solvers/solver_rivals.hpp"

#include "apps/cg/kernel.hpp"
#include "apps/ode/kernel.hpp"
#include "apps/shared/program/option_list.hpp"
#include "apps/sor/kernel.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <vector>

namespace bench
{
namespace
{

namespace sk = skelrt;

struct solver_options {
    std::string device = "cpu";
    std::vector<std::size_t> sizes;
    int repeat = 0, steps; ///< 0: as many rounds as it takes
};

apps::product problem_of(std::size_t n) { return apps::poisson_problem(2, n + 2); }

/// The solvers are the applications' own.
class skelrt_cg : public solver_entrant
{
public:
    skelrt_cg(std::size_t n, int steps)
        : steps_(static_cast<std::size_t>(steps)), b_(cg::right_side(problem_of(n), n)), solver_(b_)
    {
    }
    void launch() override
    {
        solver_.restart(b_);
        solver_.steps(steps_);
    }
    void wait() override { sk::wait(solver_.x()); }
    void look(const std::function<void(const double*)>& see) override { see(sk::host_read(solver_.x()).data()); }

private:
    std::size_t steps_;
    cg::grid b_;
    cg::solver solver_;
};

class skelrt_sor : public solver_entrant
{
public:
    skelrt_sor(std::size_t n, int steps)
        : steps_(static_cast<std::size_t>(steps)), equations_(sor::equations_of(problem_of(n), n)), zero_(n, n, 0.0),
          now_(n, n, sk::uninitialized)
    {
    }
    void launch() override { sor::sweeps(now_, zero_, equations_, steps_); }
    void wait() override { sk::wait(now_); }
    void look(const std::function<void(const double*)>& see) override { see(sk::host_read(now_).data()); }

private:
    std::size_t steps_;
    sor::equations equations_;
    sor::grid zero_, now_;
};

class skelrt_ode : public solver_entrant
{
public:
    skelrt_ode(std::size_t n, int steps) : steps_(static_cast<std::size_t>(steps)), solver_(n, ode_tolerance) {}
    void launch() override
    {
        solver_.restart();
        solver_.stop_at(ode_end);
        solver_.steps(steps_);
    }
    void wait() override { sk::wait(solver_.values()); }
    void look(const std::function<void(const double*)>& see) override
    {
        see(reinterpret_cast<const double*>(sk::host_read(solver_.values()).data())); // u and v of each
    }

private:
    std::size_t steps_;
    ode::solver solver_;
};

std::unique_ptr<solver_entrant> make_skelrt(std::string_view name, std::size_t n, int steps)
{
    if (name == "cg") return std::make_unique<skelrt_cg>(n, steps);
    if (name == "sor") return std::make_unique<skelrt_sor>(n, steps);
    return std::make_unique<skelrt_ode>(n, steps);
}

/// Both end with the same values but for rounding, which also steers the length of ode's steps.
void compare(solver_entrant& ours, solver_entrant& theirs, std::size_t values, std::string_view name)
{
    std::vector<double> want(values);
    theirs.look([&](const double* v) { want.assign(v, v + values); });
    const double tolerance = name == "ode" ? ode_tolerance : 1e-6;
    double scale = 0;
    for (const double v : want) scale = std::max(scale, std::abs(v));
    ours.look([&](const double* v) {
        for (std::size_t i = 0; i < values; ++i)
            if (!(std::abs(v[i] - want[i]) <= tolerance * scale))
                throw std::runtime_error(fmt::format("{}: value {} is {} here and {} there", name, i, v[i], want[i]));
    });
}

std::unique_ptr<solver_entrant> make_rival(const solver_options& o, const std::string& name, std::size_t n, int steps,
                                           rival_team& team)
{
    return o.device == "cuda" ? make_cuda_solver(name, n, steps) : make_openmp_solver(name, n, steps, team);
}

/// Of ode after few steps: after thousands, its oscillations are where the steps' lengths, and so rounding, have led
/// them.
void compare_results(const solver_options& o, const std::string& name, std::size_t n, rival_team& team,
                     solver_entrant& ours, solver_entrant& theirs)
{
    constexpr int few = 50;
    const std::size_t values = (name == "ode" ? 2 : 1) * n * n;
    if (name != "ode" || o.steps <= few) return compare(ours, theirs, values, name);
    const auto fewer = make_skelrt(name, n, few);
    const auto theirs_fewer = make_rival(o, name, n, few, team);
    for (solver_entrant* e : {fewer.get(), theirs_fewer.get()}) {
        e->launch();
        e->wait();
    }
    compare(*fewer, *theirs_fewer, values, name);
}

/// The machine's noise is some milliseconds long: short samples need company.
int rounds_for(double seconds)
{
    constexpr double enough = 0.5;
    return static_cast<int>(std::clamp(enough / seconds, 7.0, 31.0));
}

/// Times of one size; returns that of skelrt over the rival's, 0 without one.
double one_size(report& out, const solver_options& o, const std::string& name, std::size_t n, rival_team& team)
{
    const bool gpu = o.device == "cuda";
    const auto ours = make_skelrt(name, n, o.steps);
    const auto theirs = make_rival(o, name, n, o.steps, team);
    out.heading(fmt::format("{}, {} x {}, {} steps", name, n, n, o.steps));
    std::vector<contestant> who{{"skelrt", [&] { return sample_batch(*ours, runs_as::skelrt, team, 1); }}};
    if (theirs)
        who.push_back({gpu ? "CUDA by hand" : "OpenMP",
                       [&] { return sample_batch(*theirs, gpu ? runs_as::rival : runs_as::team, team, 1); }});
    who[0].sample(); // kernels are built
    const double once = who[0].sample();
    const auto times = alternate(who, 1, o.repeat > 0 ? o.repeat : rounds_for(once));
    const double points = double(n) * double(n) * o.steps;
    for (std::size_t i = 0; i < who.size(); ++i)
        out.row(fmt::format("{} {}", name, n), who[i].name, times[i], points / times[i].best / 1e9, "Gpoints/s");
    if (!theirs) return 0;
    compare_results(o, name, n, team, *ours, *theirs);
    const double ratio = times[0].median / times[1].median;
    out.note(fmt::format("time over the rival's, medians: {:.3f}; a step: {} and {}", ratio,
                         show_time(times[0].median / o.steps), show_time(times[1].median / o.steps)));
    return ratio;
}

int solve(report& out, const std::string& name, solver_options o)
{
    const bool gpu = o.device == "cuda";
    const auto rt = start_runtime(o.device);
    out.note("devices:     " + devices_text(*rt));
    out.note("a launch starts anew and makes all steps; one wait at its end; the figure is the worst of the sizes");
    rival_team team;
    std::optional<sk::only> resident;
    if (gpu) resident.emplace(sk::device::cuda);
    double worst = 0;
    for (const std::size_t n : o.sizes) worst = std::max(worst, one_size(out, o, name, n, team));
    if (worst > 0) out.figure(name + (gpu ? "_gpu_vs_hand" : "_cpu_vs_openmp"), worst);
    else out.warn("built without nvcc: no rival, no figure");
    return 0;
}

runner declare(apps::option_list& line, const char* name, int steps, std::vector<std::size_t> cpu_sizes,
               std::vector<std::size_t> gpu_sizes)
{
    auto o = std::make_shared<solver_options>();
    o->steps = steps;
    line.one_of("--device", o->device, {"cpu", "cuda"},
                "cpu: against OpenMP loops; cuda: resident, against CUDA by hand");
    line.positive("--sizes", o->sizes, "rows and columns of the grids, with commas");
    line.positive("--steps", o->steps, "of each run");
    line.positive("--repeat", o->repeat, "rounds; 7 to 31 if not given, short ones more");
    return [=](report& out) {
        solver_options all = *o;
        if (all.sizes.empty()) all.sizes = all.device == "cuda" ? gpu_sizes : cpu_sizes;
        return solve(out, name, all);
    };
}

} // namespace

double solver_source(std::size_t row, std::size_t col, std::size_t n)
{
    const apps::product u = problem_of(n);
    return u.h * u.h * apps::source_at(u, u.h * double(col + 1), u.h * double(row + 1));
}

double sor_omega(std::size_t n) { return sor::best_omega(problem_of(n).h); }

double ode_first_step(std::size_t n) { return ode::first_step(n); }

runner declare_cg(apps::option_list& line)
{
    return declare(line, "cg", 100, {256, 1024, 4096}, {1024, 2048, 4096, 8192});
}
runner declare_sor(apps::option_list& line)
{
    return declare(line, "sor", 50, {256, 1024, 4096}, {1024, 2048, 4096, 8192});
}
runner declare_ode(apps::option_list& line) { return declare(line, "ode", 50, {250, 500, 1000}, {250, 500, 1000}); }

} // namespace bench
