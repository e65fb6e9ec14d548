// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/shared/devices.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

namespace bench
{

std::unique_ptr<skelrt::runtime> start_runtime(const std::string& device)
{
    skelrt::options o;
    if (device != "opencl" && device != all_devices) o.opencl_devices = 0;
    if (device == "cpu" || device == "opencl") o.cuda_devices = 0; // the core that would drive a GPU computes
    if (device == one_gpu) o.cuda_devices = 1;
    auto rt = std::make_unique<skelrt::runtime>(o);
    if ((device == "cuda" || device == one_gpu) && !has_cuda(*rt))
        throw std::runtime_error("no CUDA device is in use; try --device cpu");
    if ((device == "opencl" || device == all_devices) && !has_opencl(*rt))
        throw std::runtime_error("no OpenCL device is in use; SKELRT_OPENCL_ON_CPU=1 takes CPUs that are one");
    return rt;
}

int count_cuda(const skelrt::runtime& rt)
{
    return static_cast<int>(std::ranges::count(rt.devices(), skelrt::device::cuda, &skelrt::device_info::kind));
}

bool has_cuda(const skelrt::runtime& rt) { return count_cuda(rt) > 0; }

bool has_opencl(const skelrt::runtime& rt)
{
    return std::ranges::count(rt.devices(), skelrt::device::opencl, &skelrt::device_info::kind) > 0;
}

std::string devices_text(const skelrt::runtime& rt)
{
    std::string all;
    for (const auto& d : rt.devices()) {
        if (!all.empty()) all += ", ";
        all += d.cores > 0 ? fmt::format("{} ({} cores)", d.name, d.cores) : d.name;
    }
    return all;
}

} // namespace bench
