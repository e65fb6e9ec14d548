// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"

#include "apps/shared/image.hpp"

#include <cstddef>
#include <filesystem>
#include <vector>

namespace video
{

/// Frame `number` of a scene in which discs, a bar and a word move.
apps::image scene(std::size_t width, std::size_t height, std::size_t number);

/// The PNG files of a folder, in the order of their names. Throws input_error if there are none.
std::vector<std::filesystem::path> frames_in(const std::filesystem::path& folder);

std::vector<float> grey_values(const apps::image& picture);
grey grey_of(const apps::image& picture);
/// Edges white on black. Waits for the values.
apps::image image_of(const marks& edges);
/// How many pixels of such a picture are white.
std::size_t pixels_on_edges(const apps::image& picture);

} // namespace video
