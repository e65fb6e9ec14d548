#include "src/jit/cuda_faults.hpp"
#include "src/jit/cuda_queue.hpp"
#include "src/jit/cuda_timer.hpp"
#include "src/runtime/order/polling.hpp"
#include "src/tasks/checks/out_parts.hpp"
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

class stream_access final : public part_access
{
public:
    explicit stream_access(cudaStream_t stream) : stream_(stream) {}
    void write(const part_memory& to, std::size_t first_byte, std::span<const std::byte> from) override
    {
        cuda::copy(static_cast<std::byte*>(to.data) + first_byte, from.data(), from.size(), stream_);
        cudaStreamSynchronize(stream_); // what is copied may go
    }
    void read(std::span<std::byte> to, const part_memory& from, std::size_t first_byte) override
    {
        cuda::copy(to.data(), static_cast<std::byte*>(from.data) + first_byte, to.size(), stream_);
        cudaStreamSynchronize(stream_);
    }

private:
    cudaStream_t stream_;
};

void enqueue(task_record& t, void* buffers[])
{
    t.check_may_run();
    const memory_of_parts parts(t, buffers, device::cuda);
    const auto stream = static_cast<cudaStream_t>(kernel_stream());
    for (const private_value& v : t.privates) cuda::copy(parts[v.part].data, v.neutral, v.size, stream);
    stream_access memory(stream);
    fill_out_parts(t, parts, memory);
    cuda_timer* const timer = t.what->is_to_be_timed() ? start_cuda_timer(stream) : nullptr;
    {
        const in_user_code mark;
        t.body->run({.kind = device::cuda, .parts = parts.data(), .queue = stream});
    }
    stop_cuda_timer(timer, stream);
    t.timer = timer;
    if (const cudaError_t e = cudaGetLastError(); e != cudaSuccess)
        throw error(fmt::format("CUDA: {}: {}", cudaGetErrorName(e), cudaGetErrorString(e)));
    require_written(t, parts, memory);
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
