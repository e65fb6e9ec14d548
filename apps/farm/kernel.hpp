// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/matrix.hpp>
#include <skelrt/vector.hpp>

#include <vector>

namespace farm
{

// For both programs.
using grid = skelrt::matrix<float>;
using series = skelrt::vector<float>;

/// What is studied: how warm plates are, red, green and blue of pictures, and a signal.
struct samples {
    std::vector<grid> plates;
    std::vector<std::vector<grid>> pictures;
    series signal;
};

/// What is found out: the mean of what is left in each plate after some steps in the cold; the mean change of each
/// colour of the pictures when it is blurred; the signal's energy, largest value, and highest sum of the first so many.
using findings = std::vector<float>;

inline constexpr int cooling_steps = 50;

// What else is asked.
/// One call after the other.
findings study_in_turn(const samples& s);
// The computation.
/// All at once: farms in a farm of a farm.
findings study_at_once(const samples& s);

} // namespace farm
