// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"

#include "apps/shared/image.hpp"

#include <vector>

namespace blur
{

/// A picture with edges in every direction and of every size: colour bars, a star, squares, letters.
apps::image test_card(std::size_t width, std::size_t height);

/// Red, green and blue, 0 to 1.
std::vector<plane> planes_of(const apps::image& picture);

apps::image image_of(const std::vector<plane>& planes);

/// The left half of one picture and the right half of another of the same size, with a line between them.
apps::image halves(const apps::image& left, const apps::image& right);

} // namespace blur
