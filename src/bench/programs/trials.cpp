#include "src/bench/programs/trials.hpp"

#include "src/bench/shared/devices.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <memory>
#include <skelrt/runtime.hpp>
#include <stdexcept>

namespace bench
{

int run_here(const user_program& program, std::size_t size, const std::string& device)
{
    const auto rt = start_runtime(device);
    std::optional<skelrt::only> only;
    if (device != "hybrid") only.emplace(device == "cuda" ? skelrt::device::cuda : skelrt::device::cpu);
    stopwatch rounds;
    const double result = program.run(size, rounds);
    fmt::print("trial {} {}\n", rounds.seconds(), result);
    return 0;
}

trial trial_of(const user_program& program, std::size_t size, const std::string& device,
               const std::filesystem::path& models, const std::filesystem::path& log)
{
    const std::string self = std::filesystem::read_symlink("/proc/self/exe");
    const std::string told = log.empty() ? "" : fmt::format("SKELRT_LOG=debug SKELRT_SUMMARY=1 ");
    const std::string command =
        fmt::format("{}SKELRT_MODELS='{}' '{}' programs --only {} --size {} --device {}{}", told, models.string(), self,
                    program.name, size, device, log.empty() ? "" : fmt::format(" 2>'{}'", log.string()));
    const std::unique_ptr<FILE, int (*)(FILE*)> output(popen(command.c_str(), "r"), &pclose);
    if (!output) throw std::runtime_error("programs: no process can be started");
    std::optional<trial> found;
    char line[256];
    while (std::fgets(line, sizeof line, output.get()))
        if (trial t; std::sscanf(line, "trial %lf %lf", &t.seconds, &t.result) == 2) found = t;
    if (!found) throw std::runtime_error("programs: a process failed: " + command);
    return *found;
}

} // namespace bench
