// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/programs/judge/applications.hpp"

#include "src/bench/programs/judge/seconds_in_csv.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/processes.hpp"

#include <fmt/core.h>

#include <stdexcept>

namespace bench
{
namespace
{

namespace fs = std::filesystem;

constexpr std::array all{
    judged_application{"blackscholes", "--contracts", {"100000", "4000000", "30000000"}},
    judged_application{"blur", "--size", {"256", "2048", "4096"}},
    judged_application{"canny", "--size", {"256", "1920,1080", "4096"}},
    judged_application{"cg", "--size", {"129", "1025", "3001"}},
    judged_application{"cholesky", "--size", {"512", "4096", "16384"}},
    judged_application{"convolve", "--size", {"256", "1024", "4096"}, "--width 3,9,27"},
    judged_application{"coulomb", "--grid", {"32", "128", "256"}},
    judged_application{"dot", "--elements", {"100000", "16777216", "200000000"}, "--from-host"},
    judged_application{"farm", "--size", {"100", "400", "1200"}},
    judged_application{"heat", "--grid", {"256", "2048", "8192"}},
    judged_application{"jacobi", "--size", {"201", "2001", "8001"}, "--problem 1"},
    judged_application{"kmeans", "--points", {"20000", "1000000", "10000000"}},
    judged_application{"lbm", "--size", {"128,48", "1024,384", "4096,1536"}},
    judged_application{"lj", "--edge", {"6", "16", "40"}},
    judged_application{"mandelbrot", "--size", {"256", "1024", "4096"}},
    judged_application{"matmul", "--size", {"256", "2048", "8192"}},
    judged_application{"nbody", "--bodies", {"1000", "8192", "50000"}},
    judged_application{"ode", "--size", {"32", "128", "256"}, "--end 1"},
    judged_application{"osem", "--events", {"20000", "500000", "5000000"}},
    judged_application{"pagerank", "--scale", {"11", "16", "20"}},
    judged_application{"sor", "--size", {"129", "1025", "3001"}},
    judged_application{"sum", "--elements", {"100000", "16777216", "200000000"}, "--from-host"},
    judged_application{"summa", "--size", {"256", "2048", "4096"}},
    judged_application{"video", "--frames", {"10", "50", "200"}},
};

/// Variables that say what the process may use.
std::string_view variables_for(const std::string& device)
{
    if (device == "cpu") return "SKELRT_DEVICES=cpu";
    if (device == "opencl") return "SKELRT_DEVICES=cpu,opencl";
    if (device == one_gpu) return "SKELRT_DEVICES=cpu,cuda STARPU_NCUDA=1";
    return device == all_devices ? "SKELRT_DEVICES=cpu,cuda,opencl" : "SKELRT_DEVICES=cpu,cuda";
}

/// What applications call it.
std::string_view option_for(std::string_view device)
{
    if (device == one_gpu) return "cuda";
    return device == all_devices ? "hybrid" : device;
}

} // namespace

std::span<const judged_application> judged_applications() { return all; }

judged_program judged(const judged_application& app, std::string_view size, const fs::path& folder)
{
    const fs::path program = application_in(folder, app.name);
    if (program.empty())
        throw std::runtime_error(
            fmt::format("programs: {} is not in {}; say where by --apps", app.name, folder.string()));
    const auto command = [=](const std::string& device) {
        const std::string call =
            fmt::format("{} '{}' --device {} --untimed 0 --repeat 1 {} {} {}", variables_for(device), program.string(),
                        option_for(device), app.size_option, size, app.others);
        return fmt::format(R"(f=$(mktemp) && {} --csv "$f" >/dev/null && cat "$f"; rm "$f")", call);
    };
    return {std::string(app.name), std::string(size), command, [](const auto& lines) {
                return trial{seconds_in_csv(lines), 0};
            }};
}

} // namespace bench
