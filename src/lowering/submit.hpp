#pragma once

#include "src/lowering/engine.hpp"

#include <skelrt/detail/call.hpp>

namespace skelrt::detail
{

/// Plans the call and submits its tasks; waits only if the call wants a host value. Throws error if no device of these
/// kinds can do it. `uses`: so many calls in a row, this one included, work on its data.
void submit(engine& e, const call& c, device_set kinds, std::size_t uses);

/// execute() of the first of `uses` calls in a row on the same data.
void execute_first_of(std::size_t uses, const call& c);

} // namespace skelrt::detail
