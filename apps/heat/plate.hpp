// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace heat
{

/// Points along x, y and z; one plane makes it a plate in two dimensions. The edges, half a cell further, are cold.
struct extents {
    std::size_t x = 1, y = 1, z = 1;
    bool flat = true; ///< two dimensions: nothing flows along z
    std::size_t points() const { return x * y * z; }
    int dimensions() const { return flat ? 2 : 3; }
};

/// A body with a few hot spots, made of the 24 longest waves along each axis, and its exact temperatures later on.
///
/// A wave keeps its shape under explicit steps: each one multiplies it by 1 - 4 alpha (sum of sin^2 of half its angle per
/// point), so the temperatures after any number of steps are a closed form. This is the reference: it makes no steps.
class hot_body
{
public:
    hot_body(const extents& size, double alpha);

    /// All temperatures after so many steps, x fastest, then y. O(points * waves).
    std::vector<double> after(std::size_t steps) const;

private:
    /// One axis: its waves at each point, how fast they fade, and how much of each is in every spot.
    struct axis {
        std::size_t points, waves;
        std::vector<double> value;  ///< [wave * points + point]
        std::vector<double> fading; ///< sin^2 per wave
        std::vector<double> amount; ///< [spot * waves + wave]
    };
    static axis waves_along(std::size_t points, std::size_t axis_number);
    static axis no_waves();
    /// How much of each triple of waves there is after the steps: [(z * waves of y + y) * waves of x + x].
    std::vector<double> amounts_after(std::size_t steps) const;

    extents size_;
    double alpha_;
    axis x_, y_, z_;
};

} // namespace heat
