// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/runtime.hpp>

#include <memory>
#include <string>

namespace bench
{

/// Of the command line: one GPU where there are several.
inline constexpr const char* one_gpu = "cuda:1";

/// Of the command line: cores, CUDA and OpenCL devices.
inline constexpr const char* all_devices = "all";

/// A runtime with the devices of a name of the command line: cpu, cuda, cuda:1, opencl, hybrid or all. OpenCL stays out
/// where it is not named: the GPUs that it finds are CUDA's.
std::unique_ptr<skelrt::runtime> start_runtime(const std::string& device);

bool has_cuda(const skelrt::runtime& rt);
int count_cuda(const skelrt::runtime& rt);
bool has_opencl(const skelrt::runtime& rt);
std::string devices_text(const skelrt::runtime& rt);

} // namespace bench
