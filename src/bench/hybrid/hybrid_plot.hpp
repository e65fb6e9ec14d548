// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/bench/hybrid/hybrid_points.hpp"

#include <filesystem>

namespace bench
{

/// A PNG: every point's times over that of its best single device, against the number of elements. One panel for data
/// in the host's memory, one for data on the GPU. Throws where the file cannot be written.
void draw_points(const std::vector<hybrid_point>& points, const std::filesystem::path& picture);

} // namespace bench
