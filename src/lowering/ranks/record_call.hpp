// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/call.hpp>

namespace skelrt::detail
{

class engine;

/// Notes a call in this rank's history, with all that decides what ranks tell each other and the numbers that it is
/// given. With SKELRT_CLUSTER_CHECK=2 waits until all ranks have come to it, and throws error if they made another one.
void record_call(engine& e, const call& c);

} // namespace skelrt::detail
