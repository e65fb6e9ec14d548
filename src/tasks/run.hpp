// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// The functions that StarPU runs for tasks. They never throw and never wait.
namespace skelrt::detail
{

void run_task_on_cpu(void* buffers[], void* record) noexcept;
void run_task_on_cuda(void* buffers[], void* record) noexcept;
void run_task_on_opencl(void* buffers[], void* record) noexcept;
/// After the task's data is released: times go to the models, the task counts down.
void after_task_ran(void* record) noexcept;

/// Adds a private value to its total.
void run_private_value(void* buffers[], void* value) noexcept;
void after_private_value(void* value) noexcept;

} // namespace skelrt::detail
