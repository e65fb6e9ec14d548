// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "image.hpp"

#include <skelrt/matrix.hpp>

#include <cstddef>
#include <filesystem>
#include <vector>

/// Pictures to work on, and matrices of their values.
namespace apps
{

/// Frame `number` of a scene in which discs, a bar and a word move.
image scene(std::size_t width, std::size_t height, std::size_t number);

/// A picture with edges in every direction and of every size: colour bars, a star, squares, letters.
image test_card(std::size_t width, std::size_t height);

/// The PNG files of a folder, in the order of their names. Throws input_error if there are none.
std::vector<std::filesystem::path> png_files_in(const std::filesystem::path& folder);

/// 0 to 255, whole numbers.
skelrt::matrix<float> grey_of(const image& picture);

/// Red, green and blue, 0 to 1; and back.
std::vector<skelrt::matrix<float>> planes_of(const image& picture);
image image_of(const std::vector<skelrt::matrix<float>>& planes);

/// White where the matrix has this value, else black. Waits for the values.
image white_where(const skelrt::matrix<int>& values, int value);

} // namespace apps
