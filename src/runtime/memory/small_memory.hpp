// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace skelrt::detail
{

/// Tells StarPU, before it starts, how to allocate on GPUs: where memory is limited to little, each buffer for itself.
/// Buffers of up to 4 MiB it takes from chunks of 32 MiB, and never gives back the last four that are empty: a larger
/// one found no room in 64 MiB of which 8 were in use, and its task waited for ever. Leaves STARPU_SUBALLOCATOR alone
/// if the user has set it.
void choose_gpu_allocator();

/// Of StarPU's chunk in the host's memory, which is pinned beside a CUDA device; null: it has none, or no room. As
/// cheap as a lock. Any thread, while StarPU runs.
void* take_of_chunk(std::size_t bytes) noexcept;
void give_back_to_chunk(void* data, std::size_t bytes) noexcept;

/// Beside a CUDA device StarPU takes what it needs itself in the host's memory, values and scratch, from chunks of
/// 32 MiB. Pinning takes some ten milliseconds, for which the first task on the cores would wait. Any thread, while
/// StarPU runs.
void make_first_chunk() noexcept;

} // namespace skelrt::detail
