// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>

/// CUDA C++ text to machine code, and machine code to kernels. Nothing of CUDA's own headers is visible here.
namespace skelrt::detail
{

/// Machine code (or PTX, where NVRTC is older than the device) for one architecture.
struct cuda_binary {
    std::string image;
    std::string key;  ///< of the cache; two binaries with the same key are the same
    std::string arch; ///< "sm_90"
};

/// The program name under which our own generated lines are compiled. User texts carry #line with their own file;
/// so this name tells our lines from theirs in the compiler's log.
inline constexpr std::string_view generated_file = "skelrt-generated";

/// Builds `source` for `arch` ("sm_90"), or finds it in the cache on disk: about 50 ms and about 0.1 ms. `what` names
/// the call in messages. Throws function_error with the user's file and line when the compiler refuses the text.
cuda_binary compile_cuda(std::string_view source, std::string_view arch, std::string_view what);

/// What compile_cuda() would give, from the cache on disk; nothing where it is not there. About a millisecond.
std::optional<cuda_binary> find_cuda(std::string_view source, std::string_view arch);

/// Times since the start of the process that NVRTC really ran; what came from the cache does not count.
unsigned cuda_builds();

/// The kernel `name` of the binary, for cudaLaunchKernel on any device of its architecture. Binaries stay loaded until
/// the process ends. Throws error if the driver refuses the binary.
const void* load_kernel(const cuda_binary& binary, const char* name);

/// The variable `name` of the binary, in the memory of the calling thread's device.
void* find_variable(const cuda_binary& binary, const char* name);

/// The architecture of a device: "sm_90". Throws error without such a device.
std::string cuda_arch(int device);

/// Message for a user out of NVRTC's log: starts with file:line, shows the place, hides what is not the user's.
std::string readable_cuda_log(std::string_view log, std::string_view what);

} // namespace skelrt::detail
