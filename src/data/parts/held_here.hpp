// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/parts/rectangle.hpp"

namespace skelrt::detail
{

struct placement;
struct storage;

/// What this rank holds of a part, among all that it holds.
rectangle held_here(const storage& s, const placement& part);

} // namespace skelrt::detail
