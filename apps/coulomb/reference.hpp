#pragma once

#include "grid.hpp"

#include <cstddef>
#include <vector>

namespace coulomb
{

/// What the double-precision reference found.
struct comparison {
    double relative = 0; ///< largest error, over the sum of the magnitudes of a point's terms: 0 to 1
    double absolute = 0; ///< largest error in kJ/(mol e)
    std::size_t samples = 0;
    bool good() const;
};

/// Largest relative error that passes. The sum runs in float, in whatever order a device likes, over float positions.
inline constexpr double tolerance = 1e-5;

/// Compares `samples` points, the same ones each time, with sums in double precision. `values` is values_of(field).
/// A value that is not finite counts as an error of infinity.
comparison compare(const grid& g, const std::vector<float>& values, const molecule& m, std::size_t samples = 1000);

} // namespace coulomb
