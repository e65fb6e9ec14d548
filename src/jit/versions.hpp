// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// What CUDA and OpenCL there is, for `skelrt info`: nothing here needs a GPU, a driver or the CUDA toolkit.
namespace skelrt::detail
{

/// Versions as text, "13.0"; empty: not there.
struct cuda_versions {
    bool built_in = false; ///< whether skelrt was built with CUDA
    std::string driver, runtime, nvrtc;
    std::string nvrtc_file{};    ///< where it was found
    std::string nvrtc_missing{}; ///< why it was not, and what to do
};
cuda_versions find_cuda_versions();

struct opencl_device {
    std::string name, version;
    bool is_cpu = false;
    std::uint64_t memory = 0;
};
struct opencl_platform {
    std::string name, version;
    std::vector<opencl_device> devices;
};
/// Whether skelrt was built with OpenCL.
bool opencl_built_in() noexcept;
std::vector<opencl_platform> find_opencl_platforms();

} // namespace skelrt::detail
