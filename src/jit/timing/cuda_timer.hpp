// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Times of kernels on the device itself, without waiting for them.
namespace skelrt::detail
{

struct cuda_timer;

/// Notes the start on the stream of the calling thread's device.
cuda_timer* start_cuda_timer(void* stream) noexcept;
void stop_cuda_timer(cuda_timer* t, void* stream) noexcept;
/// Microseconds between start and stop; 0 if the device does not tell, or the host was held up in between. Gives the
/// timer back. After the stream got past it.
double read_cuda_timer(cuda_timer* t) noexcept;
/// Gives it back unread. Null: nothing.
void drop_cuda_timer(cuda_timer* t) noexcept;

} // namespace skelrt::detail
