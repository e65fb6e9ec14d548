// SPDX-License-Identifier: BSD-3-Clause
#include "src/jit/opencl.hpp"

#include "src/jit/building_kernels.hpp"
#include "src/jit/cache.hpp"
#include "src/jit/opencl_log.hpp"

#include <skelrt/error.hpp>

#include <atomic>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace skelrt::detail::opencl
{
namespace
{

std::atomic<unsigned> runs{0};

/// Releases a program unless it is handed on.
class program
{
public:
    explicit program(cl_program p) : handle_(p) {}
    program(const program&) = delete;
    program& operator=(const program&) = delete;
    ~program()
    {
        if (handle_ != nullptr) clReleaseProgram(handle_);
    }
    cl_program get() const { return handle_; }
    cl_program release() { return std::exchange(handle_, nullptr); }

private:
    cl_program handle_;
};

std::string platform_text(cl_device_id device)
{
    const auto platform = device_number<cl_platform_id>(device, CL_DEVICE_PLATFORM);
    std::size_t size = 0;
    check(clGetPlatformInfo(platform, CL_PLATFORM_VERSION, 0, nullptr, &size), "clGetPlatformInfo", "a device query");
    std::string text(size, '\0');
    check(clGetPlatformInfo(platform, CL_PLATFORM_VERSION, size, text.data(), nullptr), "clGetPlatformInfo",
          "a device query");
    return text;
}

std::string key_of(cl_device_id device, const std::string& source, const std::string& options)
{
    // Without the directives, a function that only moves in its file keeps its binary.
    return cache_key({"opencl", without_line_directives(source), options, device_text(device, CL_DEVICE_NAME),
                      device_text(device, CL_DRIVER_VERSION), device_text(device, CL_DEVICE_VERSION),
                      platform_text(device)});
}

std::string build_log(cl_program p, cl_device_id device)
{
    std::size_t size = 0;
    clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
    std::string log(size, '\0');
    clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
    while (!log.empty() && (log.back() == '\0' || log.back() == '\n')) log.pop_back();
    return log;
}

/// Null if there is none that works.
cl_program from_cache(cl_context context, cl_device_id device, const std::string& key, const std::string& options)
{
    const auto binary = cache_load(key);
    if (!binary || binary->empty()) return nullptr;
    const auto* bytes = reinterpret_cast<const unsigned char*>(binary->data());
    const std::size_t size = binary->size();
    cl_int status = CL_SUCCESS, error = CL_SUCCESS;
    program p(clCreateProgramWithBinary(context, 1, &device, &size, &bytes, &status, &error));
    if (error != CL_SUCCESS || status != CL_SUCCESS) return nullptr;
    if (clBuildProgram(p.get(), 1, &device, options.c_str(), nullptr, nullptr) != CL_SUCCESS) return nullptr;
    return p.release();
}

/// The program has one device, so it has one binary. A driver without binaries only costs us the cache. Some compile
/// for a binary what they had put off: none is asked for that nobody keeps.
void to_cache(cl_program p, const std::string& key)
{
    if (cache_folder().empty()) return cache_store(key, {}); // says why, if nobody has asked for that
    std::size_t size = 0;
    if (clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, nullptr) != CL_SUCCESS || size == 0) return;
    std::string binary(size, '\0');
    auto* bytes = reinterpret_cast<unsigned char*>(binary.data());
    if (clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof(bytes), &bytes, nullptr) == CL_SUCCESS)
        cache_store(key, binary);
}

cl_program compile(cl_context context, cl_device_id device, const std::string& source, const std::string& options,
                   std::string_view what)
{
    const auto plain = without_line_directives(source);
    const char* text = plain.c_str();
    cl_int error = CL_SUCCESS;
    program p(clCreateProgramWithSource(context, 1, &text, nullptr, &error));
    check(error, "clCreateProgramWithSource", what);
    ++runs;
    const building_kernels now(what);
    error = clBuildProgram(p.get(), 1, &device, options.c_str(), nullptr, nullptr);
    if (error == CL_BUILD_PROGRAM_FAILURE)
        throw function_error(fmt::format("{}: the OpenCL compiler of {} refuses the function:\n{}", what,
                                         device_text(device, CL_DEVICE_NAME),
                                         readable_log(source, build_log(p.get(), device))));
    check(error, "clBuildProgram", what);
    return p.release();
}

bool has_one_device(cl_context context)
{
    cl_uint count = 0;
    return clGetContextInfo(context, CL_CONTEXT_NUM_DEVICES, sizeof(count), &count, nullptr) == CL_SUCCESS &&
           count == 1;
}

} // namespace

std::string error_name(cl_int code)
{
    static const std::map<cl_int, const char*> names{
        {CL_DEVICE_NOT_FOUND, "CL_DEVICE_NOT_FOUND"},
        {CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE"},
        {CL_COMPILER_NOT_AVAILABLE, "CL_COMPILER_NOT_AVAILABLE"},
        {CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
        {CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES"},
        {CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY"},
        {CL_MEM_COPY_OVERLAP, "CL_MEM_COPY_OVERLAP"},
        {CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE"},
        {CL_INVALID_VALUE, "CL_INVALID_VALUE"},
        {CL_INVALID_DEVICE, "CL_INVALID_DEVICE"},
        {CL_INVALID_CONTEXT, "CL_INVALID_CONTEXT"},
        {CL_INVALID_COMMAND_QUEUE, "CL_INVALID_COMMAND_QUEUE"},
        {CL_INVALID_MEM_OBJECT, "CL_INVALID_MEM_OBJECT"},
        {CL_INVALID_BINARY, "CL_INVALID_BINARY"},
        {CL_INVALID_BUILD_OPTIONS, "CL_INVALID_BUILD_OPTIONS"},
        {CL_INVALID_PROGRAM, "CL_INVALID_PROGRAM"},
        {CL_INVALID_PROGRAM_EXECUTABLE, "CL_INVALID_PROGRAM_EXECUTABLE"},
        {CL_INVALID_KERNEL_NAME, "CL_INVALID_KERNEL_NAME"},
        {CL_INVALID_KERNEL, "CL_INVALID_KERNEL"},
        {CL_INVALID_ARG_INDEX, "CL_INVALID_ARG_INDEX"},
        {CL_INVALID_ARG_VALUE, "CL_INVALID_ARG_VALUE"},
        {CL_INVALID_ARG_SIZE, "CL_INVALID_ARG_SIZE"},
        {CL_INVALID_KERNEL_ARGS, "CL_INVALID_KERNEL_ARGS"},
        {CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE"},
        {CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE"}};
    const auto found = names.find(code);
    return fmt::format("{} ({})", found == names.end() ? "OpenCL error" : found->second, code);
}

void check(cl_int code, std::string_view function, std::string_view what)
{
    if (code != CL_SUCCESS) throw error(fmt::format("{}: {} failed with {}", what, function, error_name(code)));
}

std::string device_text(cl_device_id device, cl_device_info property)
{
    std::size_t size = 0;
    check(clGetDeviceInfo(device, property, 0, nullptr, &size), "clGetDeviceInfo", "a device query");
    std::string text(size, '\0');
    check(clGetDeviceInfo(device, property, size, text.data(), nullptr), "clGetDeviceInfo", "a device query");
    while (!text.empty() && text.back() == '\0') text.pop_back();
    return text;
}

cl_program build_program(cl_context context, cl_device_id device, const std::string& source, const std::string& options,
                         std::string_view what)
{
    if (auto* known = find_program(context, device, source, options)) return known;
    auto* built = compile(context, device, source, options, what);
    if (has_one_device(context)) to_cache(built, key_of(device, source, options));
    return built;
}

cl_program find_program(cl_context context, cl_device_id device, const std::string& source, const std::string& options)
{
    // With several devices in a context the list of binaries would need their order; StarPU makes one context a device.
    if (!has_one_device(context)) return nullptr;
    return from_cache(context, device, key_of(device, source, options), options);
}

unsigned compiler_runs() { return runs; }

} // namespace skelrt::detail::opencl
