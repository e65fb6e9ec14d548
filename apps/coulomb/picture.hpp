// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "grid.hpp"

#include "apps/shared/plot.hpp"

#include <filesystem>
#include <vector>

namespace coulomb
{

/// Slice number z of values_of(field).
apps::field slice_of(const grid& g, const std::vector<float>& values, std::size_t z);

/// Draws slice z with contour lines, the atoms near it, axes in nm and a colour bar. Throws input_error if the file
/// cannot be written.
void draw(const std::filesystem::path& file, const grid& g, const std::vector<float>& values, const molecule& m,
          std::size_t z);

} // namespace coulomb
