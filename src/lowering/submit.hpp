#pragma once

#include "src/runtime/engine.hpp"

#include <skelrt/detail/call.hpp>

namespace skelrt::detail
{

/// Plans the call and submits its tasks; waits only if the call wants a host value. Throws error if no device of these
/// kinds can do it.
void submit(engine& e, const call& c, device_set kinds);

} // namespace skelrt::detail
