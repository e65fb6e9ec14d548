// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include <driver_types.h>

/// Memory for samples of calls, on which functions are checked, and copies to and from it.
namespace skelrt::detail::cuda
{

/// Of the calling thread's device, which one thread at a time uses; grows, and stays. The first costs an allocation.
std::byte* sample_memory(std::size_t bytes);

/// On any device, ahead of the first check.
void reserve_samples(int device);

/// All of it goes, once all tasks have ended.
void release_samples() noexcept;

/// Enqueues a copy of `rows` times `row_bytes` bytes, which lie `pitch` apart and follow each other at `to`.
void copy_rows(void* to, const void* from, std::size_t row_bytes, std::size_t rows, std::size_t pitch,
               cudaStream_t stream);

/// A copy between any two places, behind what the stream has; returns when it is done.
void copy_and_wait(void* to, const void* from, std::size_t bytes, cudaStream_t stream);

} // namespace skelrt::detail::cuda
