// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/decide/request.hpp"

#include <skelrt/detail/call.hpp>

namespace skelrt::detail
{

/// Plans the call and submits its tasks; waits only if the call wants a host value. Throws error if no device that it
/// may use can do it.
void submit(engine& e, const call& c, const request& r);

/// execute() of the first of `uses` calls in a row on the same data.
void execute_first_of(std::size_t uses, const call& c);

} // namespace skelrt::detail
