// SPDX-License-Identifier: BSD-3-Clause
#include "src/jit/nvrtc.hpp"

#include "src/jit/building_kernels.hpp"
#include "src/jit/cache.hpp"
#include "src/jit/current_device.hpp"
#include "src/jit/nvrtc/library.hpp"
#include "src/jit/nvrtc/used_kernels.hpp"

#include "src/config.hpp"

#include <skelrt/error.hpp>

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <atomic>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace skelrt::detail
{
namespace
{

namespace fs = std::filesystem;

std::atomic<unsigned> builds{0};

void check_result(nvrtcResult result, const char* what)
{
    if (result != NVRTC_SUCCESS) throw error(std::string{"NVRTC: "} + what + ": " + nvrtc().error_text(result));
}

void check_result(cudaError_t result, const std::string& what)
{
    if (result != cudaSuccess) throw error("CUDA: " + what + ": " + cudaGetErrorString(result));
}

std::string nvrtc_version()
{
    int major = 0, minor = 0;
    check_result(nvrtc().version(&major, &minor), "no version");
    return std::to_string(major) + "." + std::to_string(minor);
}

/// NVRTC opens its builtins by name, and the loader finds them only where the whole system knows CUDA's folder. They
/// lie beside NVRTC: loaded from there first, they are found by name, too.
void load_builtins()
{
    [[maybe_unused]] static const void* const loaded = [] {
        const std::string name = "libnvrtc-builtins.so." + nvrtc_version();
        return dlopen((fs::path(find_nvrtc().file).parent_path() / name).c_str(), RTLD_NOW);
    }();
}

class nvrtc_program
{
public:
    explicit nvrtc_program(const std::string& source)
    {
        load_builtins();
        const std::string name{generated_file};
        check_result(nvrtc().create(&handle_, source.c_str(), name.c_str(), 0, nullptr, nullptr),
                     "cannot create a program");
    }
    nvrtc_program(const nvrtc_program&) = delete;
    nvrtc_program& operator=(const nvrtc_program&) = delete;
    ~nvrtc_program() { nvrtc().destroy(&handle_); }

    bool compile(const std::vector<std::string>& options)
    {
        std::vector<const char*> texts;
        for (const std::string& option : options) texts.push_back(option.c_str());
        const nvrtcResult result = nvrtc().compile(handle_, static_cast<int>(texts.size()), texts.data());
        if (result != NVRTC_ERROR_COMPILATION) check_result(result, "cannot compile");
        return result == NVRTC_SUCCESS;
    }

    std::string log() const { return text(nvrtc().log_size, nvrtc().log); }
    std::string cubin() const { return text(nvrtc().cubin_size, nvrtc().cubin); }
    std::string ptx() const { return text(nvrtc().ptx_size, nvrtc().ptx); }

private:
    std::string text(nvrtcResult (*size_of)(nvrtcProgram, size_t*), nvrtcResult (*get)(nvrtcProgram, char*)) const
    {
        std::size_t size = 0;
        check_result(size_of(handle_, &size), "no result");
        std::string result(size, '\0');
        check_result(get(handle_, result.data()), "no result");
        return result;
    }

    nvrtcProgram handle_ = nullptr;
};

/// What to build for a device: its own machine code, or PTX of the newest architecture that NVRTC knows.
struct build_target {
    std::string option;
    bool ptx;
};

int number_of(std::string_view arch)
{
    int number = 0;
    const std::size_t digits = std::min(arch.find_first_of("0123456789"), arch.size());
    std::from_chars(arch.data() + digits, arch.data() + arch.size(), number);
    return number;
}

build_target target_for(std::string_view arch)
{
    int count = 0;
    check_result(nvrtc().arch_count(&count), "no list of architectures");
    std::vector<int> known(static_cast<std::size_t>(count));
    check_result(nvrtc().archs(known.data()), "no list of architectures"); // ascending

    const int wanted = number_of(arch);
    int newest = 0;
    for (const int one : known) {
        if (one == wanted) return {"-arch=" + std::string{arch}, arch.starts_with("compute_")};
        if (one < wanted) newest = one;
    }
    if (newest == 0)
        throw error("NVRTC " + nvrtc_version() + " builds for sm_" + std::to_string(known.front()) +
                    " and newer, not for this GPU (" + std::string{arch} +
                    "); use an older CUDA toolkit, or STARPU_NCUDA=0");
    return {"-arch=compute_" + std::to_string(newest), true};
}

/// The toolkit's header folders; kernels that include nothing do well without.
std::vector<std::string> include_options()
{
    std::vector<fs::path> candidates;
    for (const char* variable : {"CUDA_PATH", "CUDA_HOME"})
        if (const char* root = std::getenv(variable); root != nullptr && *root != '\0')
            candidates.push_back(fs::path{root} / "include");
    candidates.emplace_back(SKELRT_CUDA_INCLUDE);
    candidates.emplace_back("/usr/local/cuda/include");
    for (const fs::path& folder : candidates) {
        std::error_code ignored;
        if (folder.empty() || !fs::exists(folder / "cuda_runtime.h", ignored)) continue;
        return {"-I" + (folder / "cccl").string(), "-I" + folder.string()};
    }
    return {};
}

std::string joined(const std::vector<std::string>& options)
{
    std::string all;
    for (const std::string& option : options) all += option + '\n';
    return all;
}

/// What a source becomes, and the name under which the cache has it.
struct wanted_binary {
    std::string arch;
    build_target target;
    std::vector<std::string> options;
    std::string key;
};

std::vector<std::string> options_for(const build_target& target, std::string_view arch)
{
    std::vector<std::string> options{target.option, "--std=c++20", "-default-device"};
    if (arch.starts_with("compute_")) options.emplace_back("-G"); // to be checked, not run: no time for the optimiser
    for (std::string& folder : include_options()) options.push_back(std::move(folder));
    return options;
}

wanted_binary wanted(std::string_view source, std::string_view arch)
{
    wanted_binary w{std::string(arch), target_for(arch), {}, {}};
    w.options = options_for(w.target, arch);
    // The driver is no part of the key: machine code does not depend on it, and PTX is cached by the driver itself.
    w.key = cache_key({"cuda", source, nvrtc_version(), joined(w.options)});
    return w;
}

std::optional<cuda_binary> find(const wanted_binary& w)
{
    auto image = cache_load(w.key);
    if (!image) return {};
    return cuda_binary{std::move(*image), w.key, w.arch};
}

std::string build(const std::string& source, const std::vector<std::string>& options, bool ptx, std::string_view what)
{
    ++builds;
    const building_kernels now(what);
    nvrtc_program text{source};
    if (!text.compile(options)) throw function_error(readable_cuda_log(text.log(), what));
    return ptx ? text.ptx() : text.cubin();
}

/// Never destroyed: kernels may still be launched while static objects of the program go away.
struct loaded_libraries {
    std::mutex lock;
    std::map<std::string, cudaLibrary_t> by_key;
    std::map<std::pair<std::string, std::string>, std::set<std::string>> used; ///< kernels by architecture and key
};

loaded_libraries& libraries()
{
    static auto* all = new loaded_libraries;
    return *all;
}

cudaLibrary_t load(const cuda_binary& binary)
{
    loaded_libraries& all = libraries();
    const std::scoped_lock guard{all.lock};
    if (const auto found = all.by_key.find(binary.key); found != all.by_key.end()) return found->second;
    cudaLibrary_t library = nullptr;
    check_result(cudaLibraryLoadData(&library, binary.image.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0),
                 "cannot load a kernel");
    all.by_key.emplace(binary.key, library);
    return library;
}

} // namespace

cuda_binary compile_cuda(std::string_view source, std::string_view arch, std::string_view what)
{
    const wanted_binary w = wanted(source, arch);
    if (auto found = find(w)) return std::move(*found);
    cuda_binary binary{build(std::string{source}, w.options, w.target.ptx, what), w.key, w.arch};
    cache_store(w.key, binary.image);
    return binary;
}

std::optional<cuda_binary> find_cuda(std::string_view source, std::string_view arch)
{
    return find(wanted(source, arch));
}

unsigned cuda_builds() { return builds; }

const void* load_kernel(const cuda_binary& binary, const char* name)
{
    cudaKernel_t kernel = nullptr;
    check_result(cudaLibraryGetKernel(&kernel, load(binary), name), std::string{"no kernel "} + name);
    const std::scoped_lock guard{libraries().lock};
    libraries().used[{binary.arch, binary.key}].insert(name);
    return kernel;
}

namespace
{

const std::string& key_of_list()
{
    static const std::string key = key_of_program("used kernels");
    return key;
}

const std::vector<used_kernels>& used_earlier()
{
    static const std::vector<used_kernels> all = used_kernels_in(cache_load(key_of_list()).value_or(""));
    return all;
}

/// Drivers load code when it is first asked about.
void load_all(const used_kernels& wanted)
{
    auto image = cache_load(wanted.key);
    if (!image) return;
    const cudaLibrary_t library = load({std::move(*image), wanted.key, wanted.arch});
    for (const std::string& name : wanted.names) {
        cudaKernel_t kernel = nullptr;
        cudaFuncAttributes unused;
        if (cudaLibraryGetKernel(&kernel, library, name.c_str()) == cudaSuccess)
            cudaFuncGetAttributes(&unused, reinterpret_cast<const void*>(kernel));
    }
}

} // namespace

bool knows_used_kernels() noexcept
try {
    return !used_earlier().empty();
} catch (const std::exception&) {
    return false;
}

void load_used_kernels(int device, const std::stop_token& ends) noexcept
try {
    const current_device scope{device};
    const std::string arch = cuda_arch(device);
    for (const used_kernels& k : used_earlier())
        if (k.arch == arch && !ends.stop_requested()) load_all(k);
} catch (const std::exception&) { // whoever calls for the kernels sees it
}

void keep_used_kernels() noexcept
try {
    constexpr std::size_t most = 24; // some milliseconds of a core
    std::vector<used_kernels> now;
    {
        const std::scoped_lock guard{libraries().lock};
        for (const auto& [where, names] : libraries().used)
            now.push_back({where.first, where.second, {names.begin(), names.end()}});
    }
    if (now.empty()) return;
    const std::vector<used_kernels> all = with_earlier(std::move(now), used_earlier(), most);
    if (all != used_earlier()) cache_store(key_of_list(), text_of(all));
} catch (const std::exception&) { // the next process loads them when they are wanted
}

void* find_variable(const cuda_binary& binary, const char* name)
{
    void* variable = nullptr;
    std::size_t bytes = 0;
    check_result(cudaLibraryGetGlobal(&variable, &bytes, load(binary), name), std::string{"no variable "} + name);
    return variable;
}

std::string cuda_arch(int device)
{
    int major = 0, minor = 0;
    const std::string what = "cannot ask device " + std::to_string(device);
    check_result(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), what);
    check_result(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device), what);
    return "sm_" + std::to_string(major * 10 + minor);
}

} // namespace skelrt::detail
