// SPDX-License-Identifier: BSD-3-Clause
#include "src/jit/versions.hpp"

#include "src/config.hpp"

#if SKELRT_HAVE_OPENCL

#include "src/jit/opencl.hpp"

namespace skelrt::detail
{

namespace
{

std::string platform_text(cl_platform_id platform, cl_platform_info property)
{
    std::size_t size = 0;
    if (clGetPlatformInfo(platform, property, 0, nullptr, &size) != CL_SUCCESS || size == 0) return {};
    std::string text(size, '\0');
    if (clGetPlatformInfo(platform, property, size, text.data(), nullptr) != CL_SUCCESS) return {};
    text.resize(size - 1); // without the terminating zero
    return text;
}

opencl_device describe(cl_device_id device)
{
    cl_device_type type = 0;
    cl_ulong memory = 0;
    clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, nullptr);
    clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, nullptr);
    return {opencl::device_text(device, CL_DEVICE_NAME), opencl::device_text(device, CL_DEVICE_VERSION),
            (type & CL_DEVICE_TYPE_CPU) != 0, memory};
}

std::vector<opencl_device> devices_of(cl_platform_id platform)
{
    cl_uint count = 0;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS) return {};
    std::vector<cl_device_id> ids(count);
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids.data(), nullptr) != CL_SUCCESS) return {};
    std::vector<opencl_device> devices;
    for (cl_device_id id : ids) devices.push_back(describe(id));
    return devices;
}

} // namespace

bool opencl_built_in() noexcept { return true; }

std::vector<opencl_platform> find_opencl_platforms()
{
    cl_uint count = 0;
    if (clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS) return {}; // the loader found none
    std::vector<cl_platform_id> ids(count);
    if (clGetPlatformIDs(count, ids.data(), nullptr) != CL_SUCCESS) return {};
    std::vector<opencl_platform> platforms;
    for (cl_platform_id id : ids)
        platforms.push_back(
            {platform_text(id, CL_PLATFORM_NAME), platform_text(id, CL_PLATFORM_VERSION), devices_of(id)});
    return platforms;
}

} // namespace skelrt::detail

#else

namespace skelrt::detail
{

bool opencl_built_in() noexcept { return false; }

std::vector<opencl_platform> find_opencl_platforms() { return {}; }

} // namespace skelrt::detail

#endif
