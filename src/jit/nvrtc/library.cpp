// SPDX-License-Identifier: BSD-3-Clause
#include "src/jit/nvrtc/library.hpp"

#include "src/config.hpp"
#include "src/jit/find_function.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace skelrt::detail
{
namespace
{

namespace fs = std::filesystem;

constexpr int cuda_major = CUDART_VERSION / 1000; // NVRTC's soname has it, and the runtime's

template <class Function>
void find(void* library, const char* name, Function*& function, std::vector<std::string>& missing)
{
    if (!find_function(library, name, function)) missing.emplace_back(name);
}

/// The names of functions that the library does not have.
std::vector<std::string> find_functions(void* library, nvrtc_functions& call)
{
    std::vector<std::string> missing;
    find(library, "nvrtcVersion", call.version, missing);
    find(library, "nvrtcGetErrorString", call.error_text, missing);
    find(library, "nvrtcGetNumSupportedArchs", call.arch_count, missing);
    find(library, "nvrtcGetSupportedArchs", call.archs, missing);
    find(library, "nvrtcCreateProgram", call.create, missing);
    find(library, "nvrtcDestroyProgram", call.destroy, missing);
    find(library, "nvrtcCompileProgram", call.compile, missing);
    find(library, "nvrtcGetProgramLogSize", call.log_size, missing);
    find(library, "nvrtcGetProgramLog", call.log, missing);
    find(library, "nvrtcGetCUBINSize", call.cubin_size, missing);
    find(library, "nvrtcGetCUBIN", call.cubin, missing);
    find(library, "nvrtcGetPTXSize", call.ptx_size, missing);
    find(library, "nvrtcGetPTX", call.ptx, missing);
    return missing;
}

std::string way_out()
{
    return fmt::format("install NVRTC of CUDA {0} (NVIDIA's package cuda-nvrtc-{0}-*), name the toolkit's folder in "
                       "CUDA_PATH or NVRTC's in LD_LIBRARY_PATH, or leave the GPUs out with SKELRT_DEVICES=cpu,opencl",
                       cuda_major);
}

std::string not_there(const std::vector<std::string>& files, const std::vector<std::string>& refused)
{
    const std::string found = refused.empty() ? fmt::format("none of these is there: {}", fmt::join(files, ", "))
                                              : fmt::format("{}", fmt::join(refused, "; "));
    return fmt::format("NVRTC, which builds kernels for GPUs, cannot be opened ({}); {}", found, way_out());
}

/// The file that the loader took.
std::string file_of(const nvrtc_functions& call, const std::string& asked)
{
    Dl_info where{};
    return dladdr(reinterpret_cast<const void*>(call.version), &where) != 0 && where.dli_fname ? where.dli_fname
                                                                                               : asked;
}

} // namespace

std::vector<std::string> nvrtc_files()
{
    const std::string name = fmt::format("libnvrtc.so.{}", cuda_major);
    std::vector<std::string> files{name};
    const auto add = [&](const fs::path& folder) {
        const std::string file = (folder / name).string();
        if (!folder.empty() && std::ranges::find(files, file) == files.end()) files.push_back(file);
    };
    for (const char* variable : {"CUDA_PATH", "CUDA_HOME"})
        if (const char* root = std::getenv(variable); root != nullptr && *root != '\0')
            for (const char* folder : {"lib64", "lib"}) add(fs::path{root} / folder);
    add(SKELRT_CUDA_LIBRARIES);
    add("/usr/local/cuda/lib64");
    return files;
}

nvrtc_library open_nvrtc(const std::vector<std::string>& files)
{
    std::vector<std::string> refused; // a file that is there and cannot be used tells more than those that are not
    for (const std::string& file : files) {
        nvrtc_library found;
        void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) {
            const std::string why = dlerror();
            std::error_code ignored;
            if (fs::exists(file, ignored)) refused.push_back(why);
            continue;
        }
        if (const auto missing = find_functions(library, found.call); !missing.empty()) {
            refused.push_back(fmt::format("{} has no {}", file, fmt::join(missing, ", ")));
            dlclose(library);
            continue;
        }
        found.file = file_of(found.call, file);
        return found;
    }
    return {{}, "", not_there(files, refused)};
}

const nvrtc_library& find_nvrtc()
{
    static const nvrtc_library found = open_nvrtc(nvrtc_files());
    return found;
}

const nvrtc_functions& nvrtc()
{
    const nvrtc_library& found = find_nvrtc();
    if (!found.missing.empty()) throw error(found.missing);
    return found.call;
}

} // namespace skelrt::detail
