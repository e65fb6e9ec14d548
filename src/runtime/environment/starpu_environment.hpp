// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// StarPU ends the process where a variable of its environment makes no sense. This throws error instead, with the
/// variable, its value and what is allowed; for the runtime's start, before StarPU's. A number without a value counts
/// as not set.
namespace skelrt::detail
{

void check_starpu_environment();

} // namespace skelrt::detail
