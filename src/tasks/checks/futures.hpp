// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/items/task_call.hpp>

namespace skelrt::detail
{

/// Throws error for a future whose value a task cannot take.
void check_futures(const task_request& r, const caller& where);

} // namespace skelrt::detail
