#pragma once

#include "canvas.hpp"
#include "grid.hpp"

#include <filesystem>
#include <vector>

namespace coulomb
{

/// One slice of the potential, z constant, x fastest.
struct slice {
    std::size_t nx = 0, ny = 0;
    std::vector<float> values;
    float at(std::size_t x, std::size_t y) const { return values[y * nx + x]; }
    /// Between the grid points: Catmull-Rom in both directions; the edge goes on beyond the edge.
    float smooth(float x, float y) const;
};

/// Slice number z of values_of(field).
slice slice_of(const grid& g, const std::vector<float>& values, std::size_t z);

/// The magnitude below which `share` (0 to 1) of the values lie, rounded up to 1, 1.5, 2, 3, 5 or 7 times a power of
/// ten: a few grid points within atoms should not leave the rest without colour.
float colour_limit(const slice& s, double share);

/// Blue below zero, nearly white at zero, red above; -1 to 1, and beyond as at the ends.
colour colour_of(float value);

/// Draws slice z with contour lines, the atoms near it, axes in nm and a colour bar. Throws input_error if the file
/// cannot be written.
void draw(const std::filesystem::path& file, const grid& g, const std::vector<float>& values, const molecule& m,
          std::size_t z);

} // namespace coulomb
