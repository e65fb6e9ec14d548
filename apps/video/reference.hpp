#pragma once

#include "apps/shared/check.hpp"
#include "apps/shared/image.hpp"

namespace video
{

/// The edges of a frame by plain loops.
apps::image plain_edges(const apps::image& frame);

/// Adds a frame to a comparison: all pixels must be the same.
void compare(apps::comparison& with, std::size_t number, const apps::image& edges, const apps::image& right);

} // namespace video
