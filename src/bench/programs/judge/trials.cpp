// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/programs/judge/trials.hpp"

#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/processes.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <optional>
#include <stdexcept>

#include <skelrt/runtime.hpp>

namespace bench
{
namespace
{

trial read_trial(const std::vector<std::string>& lines)
{
    std::optional<trial> found;
    for (const std::string& line : lines)
        if (trial t; std::sscanf(line.c_str(), "trial %lf %lf", &t.seconds, &t.result) == 2) found = t;
    if (!found) throw std::runtime_error("it prints no time");
    return *found;
}

/// For the shell: the command, told of the files.
std::string with_files(const process_files& files, const std::string& command)
{
    std::string told = fmt::format("export SKELRT_MODELS='{}'", files.models.string());
    if (!files.trace.empty()) told += fmt::format(" SKELRT_TRACE='{}'", files.trace.string());
    if (files.log.empty()) return fmt::format("{}; {}", told, command);
    return fmt::format("{} SKELRT_LOG=debug SKELRT_SUMMARY=1; {{ {}; }} 2>'{}'", told, command, files.log.string());
}

} // namespace

trial judged_program::run(const std::string& device, const process_files& files) const
{
    const std::string line = with_files(files, command(device));
    try {
        return read(lines_of(line));
    } catch (const std::runtime_error& e) {
        throw std::runtime_error(fmt::format("programs: a process failed, {}: {}", e.what(), line));
    }
}

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

judged_program judged(const user_program& program, std::size_t size)
{
    const auto command = [name = program.name, size](const std::string& device) {
        return fmt::format("'{}' programs --only {} --size {} --device {}", own_program(), name, size, device);
    };
    return {std::string(program.name), std::to_string(size), command, &read_trial};
}

} // namespace bench
