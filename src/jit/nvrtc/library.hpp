// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nvrtc.h>

#include <string>
#include <vector>

/// NVRTC is opened when the first kernel is built: programs start without the CUDA toolkit, too.
namespace skelrt::detail
{

/// What we call of it.
struct nvrtc_functions {
    decltype(&nvrtcVersion) version = nullptr;
    decltype(&nvrtcGetErrorString) error_text = nullptr;
    decltype(&nvrtcGetNumSupportedArchs) arch_count = nullptr;
    decltype(&nvrtcGetSupportedArchs) archs = nullptr;
    decltype(&nvrtcCreateProgram) create = nullptr;
    decltype(&nvrtcDestroyProgram) destroy = nullptr;
    decltype(&nvrtcCompileProgram) compile = nullptr;
    decltype(&nvrtcGetProgramLogSize) log_size = nullptr;
    decltype(&nvrtcGetProgramLog) log = nullptr;
    decltype(&nvrtcGetCUBINSize) cubin_size = nullptr;
    decltype(&nvrtcGetCUBIN) cubin = nullptr;
    decltype(&nvrtcGetPTXSize) ptx_size = nullptr;
    decltype(&nvrtcGetPTX) ptx = nullptr;
};

struct nvrtc_library {
    nvrtc_functions call;
    std::string file;    ///< where it was found
    std::string missing; ///< why it cannot be used, and what to do; empty: it can be
};

/// Where NVRTC may be, in this order: where the loader looks by itself, in CUDA_PATH and CUDA_HOME, in the toolkit that
/// skelrt was built with, in /usr/local/cuda.
std::vector<std::string> nvrtc_files();

/// Opens the first of the files that is there; it stays open.
nvrtc_library open_nvrtc(const std::vector<std::string>& files);

/// The process's NVRTC, opened by the first call.
const nvrtc_library& find_nvrtc();

/// Its functions. Throws error where there is none.
const nvrtc_functions& nvrtc();

} // namespace skelrt::detail
