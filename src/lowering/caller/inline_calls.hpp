// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/decide/request.hpp"

#include <skelrt/detail/call.hpp>

namespace skelrt::detail
{

/// Small calls on data that is at hand run here and now, on the calling thread; where there are only cores, larger ones
/// on all of them.
/// False: not this one. `tasks_know`: one of its containers, or one has an error that a task left; if not, there is
/// nobody to ask whether the data is at hand.
bool run_inline(engine& e, const call& c, const request& r, bool tasks_know);

} // namespace skelrt::detail
