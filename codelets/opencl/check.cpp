// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/opencl/check.hpp"

#include "codelets/opencl/opencl.hpp"
#include "src/jit/opencl.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <vector>

namespace skelrt::detail::opencl
{
namespace
{

/// A device and a context of its own; both null: there is none.
struct some_device {
    cl_device_id id = nullptr;
    cl_context context = nullptr;
};

cl_device_id first_of(cl_device_type type)
{
    cl_uint count = 0;
    if (clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS) return nullptr; // the loader found none
    std::vector<cl_platform_id> platforms(count);
    if (clGetPlatformIDs(count, platforms.data(), nullptr) != CL_SUCCESS) return nullptr;
    for (cl_platform_id p : platforms) {
        cl_device_id id = nullptr;
        if (clGetDeviceIDs(p, type, 1, &id, nullptr) == CL_SUCCESS && id != nullptr) return id;
    }
    return nullptr;
}

some_device find_device()
{
    some_device d;
    constexpr cl_device_type gpus_first[] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ALL};
    for (const cl_device_type type : gpus_first)
        if (d.id == nullptr) d.id = first_of(type);
    if (d.id == nullptr) return d;
    cl_int error = CL_SUCCESS;
    d.context = clCreateContext(nullptr, 1, &d.id, nullptr, nullptr, &error);
    return error == CL_SUCCESS ? d : some_device{};
}

/// As long as the process, like the kernels that are built for it.
const some_device& the_device()
{
    static const some_device device = find_device();
    return device;
}

} // namespace

std::string device_for_checks()
{
    if (the_device().id == nullptr) return {};
    return fmt::format("{} ({})", device_text(the_device().id, CL_DEVICE_NAME),
                       device_text(the_device().id, CL_DEVICE_VERSION));
}

bool check(const recipe& what)
{
    const some_device& d = the_device();
    constexpr bool with_doubles = true; // here or elsewhere
    if (const auto reason = refusal(what, with_doubles)) throw function_error(*reason);
    if (d.id == nullptr) return false;
    prepare(what, d.context, d.id);
    return true;
}

} // namespace skelrt::detail::opencl
