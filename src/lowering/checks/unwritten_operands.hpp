// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/call.hpp>

namespace skelrt::detail
{

/// SKELRT_CHECK=unwritten: throws error if the call is sure to read an element that nobody has written, or if a
/// container that it may read anywhere has no other. Waits for the containers in question.
void check_written(const call& c);

} // namespace skelrt::detail
