// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/programs/trials.hpp"

#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/processes.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <skelrt/runtime.hpp>
#include <stdexcept>

namespace bench
{

int run_here(const user_program& program, std::size_t size, const std::string& device)
{
    const auto rt = start_runtime(device);
    std::optional<skelrt::only> only;
    if (device == "cpu") only.emplace(skelrt::device::cpu);
    else if (device == "opencl") only.emplace(skelrt::device::opencl);
    else if (device != "hybrid" && device != all_devices) only.emplace(skelrt::device::cuda);
    stopwatch rounds;
    const double result = program.run(size, rounds);
    fmt::print("trial {} {}\n", rounds.seconds(), result);
    return 0;
}

trial trial_of(const user_program& program, std::size_t size, const std::string& device,
               const std::filesystem::path& models, const std::filesystem::path& log)
{
    const std::string told = log.empty() ? "" : "SKELRT_LOG=debug SKELRT_SUMMARY=1 ",
                      kept = log.empty() ? "" : fmt::format(" 2>'{}'", log.string());
    const std::string command = fmt::format("{}SKELRT_MODELS='{}' '{}' programs --only {} --size {} --device {}{}",
                                            told, models.string(), own_program(), program.name, size, device, kept);
    std::optional<trial> found;
    for (const std::string& line : lines_of(command))
        if (trial t; std::sscanf(line.c_str(), "trial %lf %lf", &t.seconds, &t.result) == 2) found = t;
    if (!found) throw std::runtime_error("programs: a process failed: " + command);
    return *found;
}

} // namespace bench
