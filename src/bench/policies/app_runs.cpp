// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/policies/app_runs.hpp"

#include "src/bench/shared/processes.hpp"
#include "src/bench/shared/timing.hpp"

#include <fmt/format.h>
#include <starpu.h>
#include <starpu_scheduler.h>

#include <algorithm>
#include <array>

namespace bench
{
namespace
{

namespace fs = std::filesystem;

constexpr std::array apps{
    app_run{"blackscholes", "--contracts 100003"},
    app_run{"blur", "--size 203,151"},
    app_run{"canny", "--size 203,151"},
    app_run{"cg", "--size 123 --steps 40"},
    app_run{"cholesky", "--size 203 --block 32"},
    app_run{"convolve", "--size 203 --width 3,9"},
    app_run{"coulomb", "--grid 20,13,9"},
    app_run{"dot", "--elements 100003"},
    app_run{"farm", "--count 3 --size 61"},
    app_run{"heat", "--grid 203,151 --steps 37"},
    app_run{"jacobi", "--size 203 --steps 37"},
    app_run{"kmeans", "--points 20011"},
    app_run{"lbm", "--size 203,91 --steps 60"},
    app_run{"lj", "--edge 5 --steps 20"},
    app_run{"mandelbrot", "--size 203,151 --iterations 200"},
    app_run{"matmul", "--size 203,151,97"},
    app_run{"nbody", "--bodies 301 --steps 20"},
    app_run{"ode", "--size 40 --end 0.5"},
    app_run{"osem", "--size 20 --events 20000"},
    app_run{"pagerank", "--scale 11"},
    app_run{"quicksort", "--n 100000", true},
    app_run{"sor", "--size 123 --sweeps 40"},
    app_run{"sum", "--elements 100003"},
    app_run{"summa", "--size 203 --tile 32"},
    app_run{"video", "--size 203,151 --frames 12"},
};

constexpr std::array ours{"skelrt", "smpss", "heft-tm", "heft-tm-pr", "heft-tmdp", "heft-tmdp-pr", "static-device"};

} // namespace

std::span<const app_run> app_runs() { return apps; }

std::vector<std::string> all_policies()
{
    std::vector<std::string> all;
    for (starpu_sched_policy** p = starpu_sched_get_predefined_policies(); *p; ++p) all.emplace_back((*p)->policy_name);
    all.insert(all.end(), ours.begin(), ours.end());
    return all;
}

bool has_app(const app_run& app, const fs::path& folder) { return !application_in(folder, app.name).empty(); }

app_end run_app(const app_run& app, const std::string& policy, const std::string& device, const fs::path& folder,
                const fs::path& scratch, int most_seconds)
{
    const std::string command =
        fmt::format("STARPU_SCHED='{}' STARPU_HETEROPRIO_DATA_DIR='{}' SKELRT_INLINE_US=0 "
                    "SKELRT_TILES=7 timeout --kill-after=5 {} '{}' {} --repeat 1 --check "
                    "--device {} 2>&1; echo \"ended with $?\"",
                    policy, scratch.string(), most_seconds, application_in(folder, app.name).string(), app.arguments,
                    app.only_cores ? "cpu" : device);
    const double start = now();
    const std::vector<std::string> lines = lines_of(command);
    app_end end{now() - start, {}};
    const bool good = std::ranges::any_of(lines, [](const auto& l) { return l.find("all good") != std::string::npos; });
    const std::string code = lines.empty() ? "" : lines.back().substr(0, lines.back().find('\n'));
    if (code == "ended with 0" && good) return end;
    end.trouble = code == "ended with 124" ? fmt::format("takes more than {} s", most_seconds)
                  : code == "ended with 0" ? "checks nothing"
                                           : code;
    if (lines.size() > 1) end.trouble += ": " + lines[lines.size() - 2].substr(0, lines[lines.size() - 2].find('\n'));
    return end;
}

} // namespace bench
