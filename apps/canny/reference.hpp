// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/video/reference.hpp"

namespace canny
{

/// Canny's edges by plain loops, grown as far as they reach: from each edge along all that may be one.
apps::plain_grid<int> plain_canny(const video::grey& picture, const video::thresholds& t);

} // namespace canny
