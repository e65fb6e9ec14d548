// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/call.hpp>

namespace skelrt::detail
{

/// SKELRT_CHECK=races: throws error if somebody uses a container of the call, and one of both writes, and neither waits
/// for the other.
void check_races(const call& c);

} // namespace skelrt::detail
