// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"

#include "apps/shared/check.hpp"
#include "apps/shared/picture/image.hpp"
#include "apps/shared/plain_grid.hpp"

namespace video
{

/// By plain loops: what marked() and edges_of() are on devices.
apps::plain_grid<int> plain_marked(const grey& picture, const thresholds& t);
apps::plain_grid<int> plain_edges(const grey& picture);

/// Adds the frame of a number to a comparison: all pixels must be the same.
void compare(apps::comparison& with, std::size_t number, const apps::image& edges, const apps::plain_grid<int>& right);

} // namespace video
