// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/shared/machine.hpp"

#include "src/config.hpp"

#include <fmt/chrono.h>
#include <fmt/core.h>
#include <skelrt/runtime.hpp>
#include <skelrt/version.hpp>
#include <starpu.h>
#if SKELRT_HAVE_CUDA
#include <cuda_runtime.h>
#endif

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string_view>
#include <thread>

extern char** environ;

namespace bench
{
namespace
{

/// The value of the first line "key : value" of a file of /proc.
std::string proc_value(const char* file, std::string_view key)
{
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        const auto colon = line.find(':');
        if (!line.starts_with(key) || colon == std::string::npos) continue;
        const auto first = line.find_first_not_of(" \t", colon + 1);
        return first == std::string::npos ? "" : line.substr(first);
    }
    return "unknown";
}

std::string load_text()
{
    double load[1] = {0};
    return getloadavg(load, 1) == 1 ? fmt::format("{:.2f}", load[0]) : "unknown";
}

std::string driver_text()
{
    std::ifstream in("/proc/driver/nvidia/version");
    std::string line;
    if (!std::getline(in, line)) return "";
    std::istringstream words(line);
    for (std::string word; words >> word;)
        if (word.find_first_not_of("0123456789.") == std::string::npos && word.find('.') != std::string::npos)
            return ", driver " + word;
    return "";
}

std::string gpu_text()
{
#if SKELRT_HAVE_CUDA
    int count = 0, driver = 0, runtime = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) return "none";
    cudaDriverGetVersion(&driver);
    cudaRuntimeGetVersion(&runtime);
    cudaDeviceProp first;
    cudaGetDeviceProperties(&first, 0);
    return fmt::format("{} x {}{}, CUDA {}.{} (driver's {}.{})", count, first.name, driver_text(), runtime / 1000,
                       runtime % 1000 / 10, driver / 1000, driver % 1000 / 10);
#else
    return "not asked: built without CUDA";
#endif
}

/// The variables that change what is measured.
std::string environment_text()
{
    std::string all;
    for (char** e = environ; *e; ++e)
        for (const std::string_view prefix : {"STARPU_", "SKELRT_", "OMP_", "GOMP_", "CUDA_"})
            if (std::string_view(*e).starts_with(prefix)) all += fmt::format(" {}", *e);
    return all.empty() ? " nothing set" : all;
}

} // namespace

std::string machine_text()
{
    int major, minor, release;
    starpu_get_version(&major, &minor, &release);
    const std::time_t time = std::time(nullptr);
    return fmt::format("date:        {:%Y-%m-%d %H:%M} UTC\n"
                       "cpu:         {}, {} threads, load {} when started\n"
                       "memory:      {}\n"
                       "gpu:         {}\n"
                       "versions:    skelrt {}, StarPU {}.{}.{}, compiler {}\n"
                       "environment:{}\n",
                       fmt::gmtime(time), proc_value("/proc/cpuinfo", "model name"),
                       std::thread::hardware_concurrency(), load_text(), proc_value("/proc/meminfo", "MemTotal"),
                       gpu_text(), skelrt::version(), major, minor, release, __VERSION__, environment_text());
}

} // namespace bench
