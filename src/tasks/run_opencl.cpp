// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/opencl/opencl.hpp"

#include "src/lowering/summary/traced_task.hpp"
#include "src/program/now_ns.hpp"
#include "src/tasks/checks/out_parts.hpp"
#include "src/tasks/memory_of_parts.hpp"
#include "src/tasks/run.hpp"

#include <skelrt/detail/user_code.hpp>

#include <starpu_opencl.h>

namespace skelrt::detail
{

namespace
{

class queue_access final : public part_access
{
public:
    explicit queue_access(cl_command_queue queue) : queue_(queue) {}
    void write(const part_memory& to, std::size_t first_byte, std::span<const std::byte> from) override
    {
        opencl::write(static_cast<cl_mem>(to.data), to.offset + first_byte, from.data(), from.size(), queue_);
    }
    void read(std::span<std::byte> to, const part_memory& from, std::size_t first_byte) override
    {
        opencl::read_and_wait(to.data(), static_cast<cl_mem>(from.data), from.offset + first_byte, to.size(), queue_);
    }

private:
    cl_command_queue queue_;
};

} // namespace

void run_task_on_opencl(void* buffers[], void* record) noexcept
{
    auto& t = *static_cast<task_record*>(record);
    traced_task::begins_kernels(t.what->name());
    try {
        t.check_may_run();
        const int number = starpu_worker_get_devid(starpu_worker_get_id_check());
        cl_context context;
        cl_device_id device_id;
        cl_command_queue queue;
        starpu_opencl_get_context(number, &context);
        starpu_opencl_get_device(number, &device_id);
        starpu_opencl_get_queue(number, &queue);
        const memory_of_parts parts(t, buffers, device::opencl);
        for (const private_value& v : t.privates)
            opencl::write(static_cast<cl_mem>(parts[v.part].data), parts[v.part].offset, v.neutral, v.size, queue);
        queue_access memory(queue);
        fill_out_parts(t, parts, memory);
        t.started_ns = now_ns();
        {
            const in_user_code mark;
            t.body->run({device::opencl, parts.data(), queue, context, device_id});
        }
        require_written(t, parts, memory);
    } catch (...) {
        t.fail_here();
    }
}

} // namespace skelrt::detail
