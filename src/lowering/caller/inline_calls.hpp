#pragma once

#include "src/lowering/decide/request.hpp"

#include <skelrt/detail/call.hpp>

namespace skelrt::detail
{

/// Small calls on data that is at hand run here and now, on the calling thread; where there are only cores, larger ones
/// on all of them.
/// False: not this one.
bool run_inline(engine& e, const call& c, const request& r);

} // namespace skelrt::detail
