// SPDX-License-Identifier: BSD-3-Clause
#include "src/jit/opencl.hpp"
#include "src/tasks/text/text_program.hpp"

#include <skelrt/error.hpp>

#include <starpu_opencl.h>

#include <utility>

namespace skelrt::detail
{

namespace
{

/// Programs stay until the process ends: statics go when the driver has gone.
class opencl_text_program final : public text_program
{
public:
    using text_program::text_program;
    void prepare(int number) override
    {
        cl_context context;
        cl_device_id device;
        starpu_opencl_get_context(number, &context);
        starpu_opencl_get_device(number, &device);
        static_cast<void>(program_for(context, device));
    }

    cl_program program_for(cl_context context, cl_device_id device)
    {
        const std::lock_guard lock(guard_);
        const auto known = by_device_.find({context, device});
        if (known != by_device_.end()) return known->second;
        const cl_program built = opencl::build_program(context, device, text, "", title);
        return by_device_[{context, device}] = built;
    }

private:
    std::mutex guard_;
    std::map<std::pair<cl_context, cl_device_id>, cl_program> by_device_; ///< another runtime has other contexts
};

} // namespace

std::shared_ptr<text_program> make_opencl_text(std::string text, std::string name, const caller& where)
{
    return std::make_shared<opencl_text_program>(std::move(text), std::move(name), where);
}

void launch_opencl_text(text_program& p, const opencl_queue& queue, std::size_t threads, const text_argument* arguments,
                        std::size_t count)
{
    constexpr std::size_t group = 64;
    auto& program = static_cast<opencl_text_program&>(p);
    cl_int failed = CL_SUCCESS;
    // A kernel object has its arguments in it: one a launch.
    const cl_program built =
        program.program_for(static_cast<cl_context>(queue.context()), static_cast<cl_device_id>(queue.device()));
    const cl_kernel kernel = clCreateKernel(built, p.name.c_str(), &failed);
    opencl::check(failed, "clCreateKernel", p.title);
    for (std::size_t i = 0; i < count && failed == CL_SUCCESS; ++i)
        failed = clSetKernelArg(kernel, static_cast<cl_uint>(i), arguments[i].size, arguments[i].value);
    const std::size_t global = (threads + group - 1) / group * group;
    if (failed == CL_SUCCESS)
        failed = clEnqueueNDRangeKernel(static_cast<cl_command_queue>(queue.get()), kernel, 1, nullptr, &global, &group,
                                        0, nullptr, nullptr);
    clReleaseKernel(kernel);
    opencl::check(failed, "a kernel's arguments and launch", p.title);
}

} // namespace skelrt::detail
