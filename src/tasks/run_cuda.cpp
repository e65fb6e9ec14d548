#include "src/jit/cuda_faults.hpp"
#include "src/jit/cuda_queue.hpp"
#include "src/jit/cuda_timer.hpp"
#include "src/runtime/order/polling.hpp"
#include "src/tasks/memory_of_parts.hpp"
#include "src/tasks/run.hpp"

#include "codelets/cuda/cuda.hpp"

#include <skelrt/detail/user_code.hpp>
#include <skelrt/error.hpp>

#include <fmt/format.h>
#include <starpu_cuda.h>

namespace skelrt::detail
{

namespace
{

void enqueue(task_record& t, void* buffers[])
{
    t.check_may_run();
    const memory_of_parts parts(t, buffers, device::cuda);
    const auto stream = static_cast<cudaStream_t>(kernel_stream());
    for (const private_value& v : t.privates) cuda::copy(parts[v.part].data, v.neutral, v.size, stream);
    cuda_timer* const timer = t.what->is_to_be_timed() ? start_cuda_timer(stream) : nullptr;
    {
        const in_user_code mark;
        t.body->run({.kind = device::cuda, .parts = parts.data(), .queue = stream});
    }
    stop_cuda_timer(timer, stream);
    t.timer = timer;
    if (const cudaError_t e = cudaGetLastError(); e != cudaSuccess)
        throw error(fmt::format("CUDA: {}: {}", cudaGetErrorName(e), cudaGetErrorString(e)));
}

} // namespace

void run_task_on_cuda(void* buffers[], void* record) noexcept
{
    note_busy_worker();
    auto& t = *static_cast<task_record*>(record);
    note_cuda_call(t.what->name().c_str());
    try {
        enqueue(t, buffers);
    } catch (...) {
        t.fail_here();
    }
    follow_kernels(starpu_cuda_get_local_stream()); // for StarPU, the task ends when its kernels do
}

} // namespace skelrt::detail
