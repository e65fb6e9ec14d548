// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/jit/lanes/lane_wish.hpp"
#include "src/runtime/order/progress.hpp"

#include <cstddef>
#include <memory>
#include <span>

/// The order in which a GPU does what skelrt gives it.
///
/// Kernels go through streams of our own, the lanes. Those of skeleton calls go through the first one, behind all that
/// the others have, so they follow each other without the host. Users' tasks go through all of them, or through the
/// first one if they may not leave their kernels; the memory that they use says which points of other lanes they wait
/// for.
///
/// A task usually ends for StarPU when its kernels have: follow_kernels(). It may also leave them running, and end at
/// once: what comes next need not wait for the host to notice. That is correct because whatever else may touch their
/// data goes behind them: kernels, by the lanes; copies, by order_copy(), which the handles' own copy functions call
/// (ordered_copies.hpp); memory that is freed, by the driver; memory that gets other data, by its address; and who
/// waits for the call or task, by running_work.
///
/// Thread-safe. Streams live until release_cuda_queues(), at the runtime's end. Pointers stand for CUDA's streams.
namespace skelrt::detail
{

/// Lanes of each device from now on: 1, and tasks end with their kernels, or up to 8. Before the first kernel.
void set_cuda_lanes(std::size_t lanes) noexcept;

/// For kernels that go behind all others of the calling thread's device, and before all that come later.
void* kernel_stream();

/// Work that is given to `stream`, another one of the calling thread's device, starts when the kernels are done that
/// were enqueued in kernel_stream() so far.
void follow_kernels(void* stream) noexcept;

/// The kernels enqueued in kernel_stream() so far go on although their task ends. Null: so many are under way already
/// that the task had better end with them. `what` they belong to, for errors; it lives as long as the process.
std::shared_ptr<const running_work> leave_running(const char* what);

/// Kernels of one of the users' tasks, on the calling thread's device: first enter_lane(), then what the task enqueues
/// in the stream, then leave_lane(), also after an exception.
entered_lane enter_lane(const lane_wish& w);
/// The task may end when `stream`, where nothing else is, has got through: at once, or when enough of what is before it
/// in its lane is done.
left_lane leave_lane(const entered_lane& l, const lane_wish& w, const char* what, void* stream);

/// A copy from or to a device's memory, on a stream, goes behind the kernels left running there that use it.
void order_copy(int device, const memory_use& m, void* stream) noexcept;
/// The host waits until the memory may be used so.
void wait_for_memory(int device, const memory_use& m) noexcept;
/// Until all that was left running is done.
void wait_for_running(int device) noexcept;

/// Once all tasks have ended.
void release_cuda_queues() noexcept;

} // namespace skelrt::detail
