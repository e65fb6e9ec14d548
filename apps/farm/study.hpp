// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "samples.hpp"

#include <array>
#include <vector>

namespace farm
{

/// What is found out.
struct findings {
    std::vector<float> heat;                  ///< left in each plate
    std::vector<std::array<float, 3>> detail; ///< of each picture's colours
    std::array<float, 3> signal{};            ///< its energy, largest value, highest sum
};

/// One call after the other.
findings study_in_turn(const samples& s);
/// All at once: farms in a farm of a farm.
findings study_at_once(const samples& s);

} // namespace farm
