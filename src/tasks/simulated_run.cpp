// SPDX-License-Identifier: BSD-3-Clause
#include "src/tasks/run.hpp"

/// StarPU takes a device for able to run a codelet if there is a function for it; in a simulation it never calls them.
namespace skelrt::detail
{

void run_task_on_cuda(void*[], void*) noexcept {}

} // namespace skelrt::detail
