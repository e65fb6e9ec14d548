#pragma once

#include "src/lowering/engine.hpp"

#include <skelrt/detail/call.hpp>

namespace skelrt::detail
{

/// Small calls on data that is at hand run here and now, on the calling thread; where there are only cores, larger ones on all of them.
/// False: not this one. `free`: nobody said where it should run.
bool run_inline(engine& e, const call& c, device_set kinds, bool free);

} // namespace skelrt::detail
