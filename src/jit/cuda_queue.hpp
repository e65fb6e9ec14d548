#pragma once

#include "src/runtime/order/progress.hpp"

#include <memory>

/// The order in which a GPU does what skelrt gives it.
///
/// All kernels of a device go through one stream of our own, so they follow each other without the host. A task usually
/// ends for StarPU when its kernels have: follow_kernels(). A task may also leave them running, and end at once: the
/// next call then need not wait for the host to notice. That is correct because whatever else may touch their data goes
/// behind
/// them: kernels, by the stream; copies, by order_copy(), which the handles' own copy functions call (tile_handle.cpp);
/// memory that is freed, by the driver; and who waits for the call, by running_work.
///
/// Thread-safe. Streams live until release_cuda_queues(), at the runtime's end. Pointers stand for CUDA's streams.
namespace skelrt::detail
{

/// Of the calling thread's device.
void* kernel_stream();

/// Work that is given to `stream`, another one of the calling thread's device, starts when the kernels enqueued so far
/// are done.
void follow_kernels(void* stream) noexcept;

/// The kernels enqueued so far go on although their task ends. Null: so many are under way already that the task had
/// better end with them. `what` they belong to, for errors; it lives as long as the process.
std::shared_ptr<const running_work> leave_running(const char* what);

/// A copy from or to a device's memory, on a stream, goes behind kernels left running there.
void order_copy(int device, void* stream) noexcept;
/// The same for copies of the calling thread: waits.
void wait_for_running(int device) noexcept;

/// Once all tasks have ended.
void release_cuda_queues() noexcept;

} // namespace skelrt::detail
