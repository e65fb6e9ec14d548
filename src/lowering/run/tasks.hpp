// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/run/submitted_call.hpp"
#include "src/runtime/cores/team.hpp"
#include "src/runtime/starpu_task.hpp"

#include <starpu.h>

/// The functions that StarPU runs. They never throw and never wait.
namespace skelrt::detail
{

/// Of a task's handle, there.
inline std::size_t bytes_of_buffer(void* buffer)
{
    return STARPU_VECTOR_GET_NX(buffer) * STARPU_VECTOR_GET_ELEMSIZE(buffer);
}

void run_on_cpu(void* buffers[], void* group) noexcept;
/// The same for whoever holds the data, if no task does. `lead`: who has it; null: the leading worker, which takes it
/// if it needs it.
void run_group(void* buffers[], task_group& g, team_lead* lead) noexcept;
/// Work in host memory, by the calling thread. Lets the user function's exceptions through.
void run_alone(const work& w);
void run_on_cuda(void* buffers[], void* group) noexcept;
void run_on_opencl(void* buffers[], void* group) noexcept;
void run_batch_on_cpu(void* buffers[], void* batch) noexcept;
void run_batch_on_cuda(void* buffers[], void* batch) noexcept;
/// After the task's data is released: times go to the model, the call counts down.
void after_task(void* group) noexcept;

void gather_on_cpu(void* buffers[], void*) noexcept;
void gather_on_cuda(void* buffers[], void*) noexcept;
void gather_on_opencl(void* buffers[], void*) noexcept;

/// Copy the lines of a halo from where they are.
void copy_halo_on_cpu(void* buffers[], void* halo) noexcept;
void copy_halo_on_cuda(void* buffers[], void* halo) noexcept;
void copy_halo_on_opencl(void* buffers[], void* halo) noexcept;

void combine_on_cpu(void* buffers[], void* call) noexcept;
void after_combine(void* call) noexcept;

} // namespace skelrt::detail
