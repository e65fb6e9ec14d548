#pragma once

#include "src/lowering/layout.hpp"
#include "src/runtime/engine.hpp"

#include <skelrt/detail/call.hpp>

namespace skelrt::detail
{

/// Plans the call and submits its tasks; waits only if the call wants a host value. Throws error if no device of these
/// kinds can do it.
void submit(engine& e, const call& c, device_set kinds);

/// Gives a task its data. More than StarPU's tasks have room for are on the heap, and go with the task.
void set_handles(starpu_task& t, const std::vector<handle_use>& used, starpu_data_handle_t scratch, task_group& group);

} // namespace skelrt::detail
