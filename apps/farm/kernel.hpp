// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/matrix.hpp>
#include <skelrt/vector.hpp>

#include <array>
#include <vector>

namespace farm
{

using grid = skelrt::matrix<float>;
using series = skelrt::vector<float>;

/// What is studied: how warm plates are, red, green and blue of pictures, and a signal.
struct samples {
    std::vector<grid> plates;
    std::vector<std::vector<grid>> pictures;
    series signal;
};

/// What is found out.
struct findings {
    std::vector<float> heat;                ///< left in each plate: the mean after some steps in the cold
    std::vector<std::vector<float>> detail; ///< of each picture's colours: the mean change when it is blurred
    std::array<float, 3> signal{};          ///< its energy, largest value, highest sum of the first so many
};

inline constexpr int cooling_steps = 50;

/// One call after the other.
findings study_in_turn(const samples& s);
/// All at once: farms in a farm of a farm.
findings study_at_once(const samples& s);

} // namespace farm
