// SPDX-License-Identifier: BSD-3-Clause
#include "src/jit/peaks.hpp"

#include "src/config.hpp"

#if SKELRT_HAVE_CUDA
#include <cuda_runtime_api.h>
#endif
#if SKELRT_HAVE_OPENCL
#include <CL/cl.h>
#endif

namespace skelrt::detail
{

#if SKELRT_HAVE_CUDA

namespace
{

/// Lanes of a multiprocessor; drivers tell the compute capability, not these.
int fp32_lanes(int major, int minor)
{
    if (major == 7 || (major == 8 && minor == 0) || (major == 6 && minor == 0)) return 64;
    return 128;
}

int fp64_lanes(int major, int minor)
{
    if (major == 9 || (major == 10 && minor == 0)) return 64;
    if (major >= 6 && major <= 8 && minor == 0) return 32;
    return 2;
}

} // namespace

std::optional<driver_peaks> ask_cuda_peaks(int number) noexcept
{
    const auto ask = [&](cudaDeviceAttr what) {
        int value = 0;
        return cudaDeviceGetAttribute(&value, what, number) == cudaSuccess ? value : 0;
    };
    const int processors = ask(cudaDevAttrMultiProcessorCount);
    if (processors == 0) return {};
    const int major = ask(cudaDevAttrComputeCapabilityMajor), minor = ask(cudaDevAttrComputeCapabilityMinor);
    const double mhz = ask(cudaDevAttrClockRate) * 1e-3, memory_mhz = ask(cudaDevAttrMemoryClockRate) * 1e-3;
    driver_peaks p;
    p.memory = 2 * memory_mhz * ask(cudaDevAttrGlobalMemoryBusWidth) / 8;
    p.fp32 = 2 * mhz * processors * fp32_lanes(major, minor);
    p.fp64 = 2 * mhz * processors * fp64_lanes(major, minor);
    return p;
}

#else

std::optional<driver_peaks> ask_cuda_peaks(int) noexcept { return {}; }

#endif

#if SKELRT_HAVE_OPENCL

std::optional<driver_peaks> ask_opencl_peaks(void* device) noexcept
{
    const auto id = static_cast<cl_device_id>(device);
    cl_device_type type = 0;
    cl_uint units = 0, mhz = 0;
    if (clGetDeviceInfo(id, CL_DEVICE_TYPE, sizeof type, &type, nullptr) != CL_SUCCESS) return {};
    clGetDeviceInfo(id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, nullptr);
    clGetDeviceInfo(id, CL_DEVICE_MAX_CLOCK_FREQUENCY, sizeof mhz, &mhz, nullptr);
    driver_peaks p;
    p.is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
    constexpr double gpu_lanes = 64, cpu_lanes = 8;
    p.fp32 = 2.0 * mhz * units * (p.is_cpu ? cpu_lanes : gpu_lanes);
    return p;
}

#else

std::optional<driver_peaks> ask_opencl_peaks(void*) noexcept { return {}; }

#endif

} // namespace skelrt::detail
