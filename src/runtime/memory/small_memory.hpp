// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace skelrt::detail
{

/// Tells StarPU, before it starts, how to allocate on GPUs: where memory is limited to little, each buffer for itself.
/// Buffers of up to 4 MiB it takes from chunks of 32 MiB, and never gives back the last four that are empty: a larger
/// one found no room in 64 MiB of which 8 were in use, and its task waited for ever. Leaves STARPU_SUBALLOCATOR alone
/// if the user has set it.
void choose_gpu_allocator();

/// Beside a CUDA device StarPU takes what it needs itself in the host's memory, values and scratch, from chunks of 32 MiB
/// that it pins: some ten milliseconds, which the first task on the cores would wait for. Any thread, while StarPU runs.
void make_first_chunk() noexcept;

} // namespace skelrt::detail
