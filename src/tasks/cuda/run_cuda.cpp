// SPDX-License-Identifier: BSD-3-Clause
#include "src/jit/cuda_faults.hpp"
#include "src/jit/lanes/cuda_queue.hpp"
#include "src/jit/timing/kernel_span.hpp"
#include "src/lowering/summary/traced_task.hpp"
#include "src/runtime/order/polling.hpp"
#include "src/tasks/checks/out_parts.hpp"
#include "src/tasks/cuda/timed_kernels.hpp"
#include "src/tasks/memory_of_parts.hpp"
#include "src/tasks/run.hpp"

#include "codelets/cuda/cuda.hpp"

#include <skelrt/detail/user_code.hpp>
#include <skelrt/error.hpp>

#include <fmt/format.h>
#include <starpu_cuda.h>

#include <algorithm>
#include <span>
#include <vector>

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

/// What a task of StarPU's uses on its device: all of its buffers, for a new one may be old memory.
std::span<const memory_use> memory_of_task(starpu_task& task, void* const buffers[])
{
    thread_local std::vector<memory_use> all;
    all.clear();
    for (unsigned i = 0; i < STARPU_TASK_GET_NBUFFERS(&task); ++i) {
        const byte_range r = bytes_of_buffer(buffers[i]);
        if (r.begin < r.end) all.push_back({r.begin, r.end, STARPU_TASK_GET_MODE(&task, i) != STARPU_R});
    }
    return all;
}

/// What may run elsewhere ends with its kernels: the policy places such tasks by what each device still has to do.
bool is_for_gpus_only(const task_record& t)
{
    return std::ranges::all_of(t.costs, [](const schedulers::worker_cost& c) {
        return starpu_worker_get_type(c.worker) == STARPU_CUDA_WORKER;
    });
}

/// `times`: null, or it is to be timed.
void enqueue(task_record& t, void* buffers[], cudaStream_t stream, timed_kernels* times)
{
    t.check_may_run();
    static_cast<void>(cudaGetLastError()); // what others left there
    const memory_of_parts parts(t, buffers, device::cuda);
    for (const private_value& v : t.privates) cuda::copy(parts[v.part].data, v.neutral, v.size, stream);
    stream_access memory(stream);
    fill_out_parts(t, parts, memory);
    if (times) times->begin(stream);
    {
        const in_user_code mark;
        t.body->run({.kind = device::cuda, .parts = parts.data(), .queue = stream});
    }
    if (times) times->end(stream);
    if (const cudaError_t e = cudaGetLastError(); e != cudaSuccess)
        throw error(fmt::format("CUDA: {}: {}", cudaGetErrorName(e), cudaGetErrorString(e)));
    require_written(t, parts, memory);
}

bool enqueue_or_fail(task_record& t, void* buffers[], cudaStream_t stream, timed_kernels* times) noexcept
{
    try {
        enqueue(t, buffers, stream, times);
        return true;
    } catch (...) {
        t.fail_here();
        return false;
    }
}

void run_in_lane(task_record& t, void* buffers[])
{
    starpu_task& task = *starpu_task_get_current();
    timed_kernels& times = timed_kernels::of_this_worker();
    times.look();
    const timing wanted = times.wish_for(t);
    const lane_wish wish{.memory = memory_of_task(task, buffers),
                         .expected_us = task.predicted,
                         .may_leave = is_for_gpus_only(t),
                         .alone = wanted == timing::alone};
    const entered_lane in = enter_lane(wish);
    const bool timed = wanted != timing::none && in.alone;
    bool enqueued = false;
    {
        const traced_span span(t.span, in.stream);
        enqueued = enqueue_or_fail(t, buffers, static_cast<cudaStream_t>(in.stream), timed ? &times : nullptr);
    }
    left_lane out = leave_lane(in, wish, t.what->name().c_str(), starpu_cuda_get_local_stream());
    t.hint.left_us = out.busy_us;
    t.left = std::move(out.kernels);
    if (enqueued) times.keep(t, wanted);
    else times.drop();
}

} // namespace

void run_task_on_cuda(void* buffers[], void* record) noexcept
{
    note_busy_worker();
    auto& t = *static_cast<task_record*>(record);
    note_cuda_call(t.what->name().c_str());
    if (const std::uint64_t ns = traced_task::begins_kernels(t.what->name()); ns > 0) t.traced_ns = ns;
    try {
        run_in_lane(t, buffers);
    } catch (...) { // the device is of no use any more
        t.fail_here();
    }
}

} // namespace skelrt::detail
