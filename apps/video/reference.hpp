// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"

#include "apps/shared/check.hpp"
#include "apps/shared/image.hpp"

namespace video
{

/// The edges of a frame by plain loops.
apps::image plain_edges(const apps::image& frame);
/// The same, grown as far as they reach: from each edge along all that may be one.
apps::image plain_canny(const apps::image& frame, const thresholds& t);

/// Adds a frame to a comparison: all pixels must be the same.
void compare(apps::comparison& with, std::size_t number, const apps::image& edges, const apps::image& right);

} // namespace video
