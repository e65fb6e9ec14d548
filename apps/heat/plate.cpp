// SPDX-License-Identifier: BSD-3-Clause
#include "plate.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace heat
{
namespace
{

constexpr double pi = std::numbers::pi;
constexpr std::size_t most_waves = 24;

/// Positions and widths are parts of the edge, the temperature is that of a spot on its own.
struct spot {
    std::array<double, 3> at;
    double width, temperature;
};

constexpr std::array<spot, 6> spots{{{{0.28, 0.66, 0.50}, 0.09, 1.00},
                                     {{0.70, 0.74, 0.42}, 0.06, 0.85},
                                     {{0.58, 0.36, 0.55}, 0.11, 0.70},
                                     {{0.20, 0.25, 0.47}, 0.05, 0.90},
                                     {{0.84, 0.22, 0.58}, 0.05, 0.75},
                                     {{0.45, 0.86, 0.52}, 0.05, 0.60}}};

/// A hump of height 1 as waves sin(k pi x).
double amount_of_wave(std::size_t k, double at, double width)
{
    const double turn = static_cast<double>(k) * pi;
    return 2 * width * std::sqrt(2 * pi) * std::exp(-0.5 * turn * turn * width * width) * std::sin(turn * at);
}

} // namespace

hot_body::axis hot_body::waves_along(std::size_t points, std::size_t axis_number)
{
    axis a{points, std::min(points, most_waves), {}, {}, {}};
    const double turn = pi / static_cast<double>(points + 1);
    for (std::size_t k = 1; k <= a.waves; ++k) {
        const double s = std::sin(0.5 * turn * static_cast<double>(k));
        a.fading.push_back(s * s);
        for (std::size_t i = 1; i <= points; ++i) a.value.push_back(std::sin(turn * static_cast<double>(k * i)));
    }
    for (const spot& s : spots)
        for (std::size_t k = 1; k <= a.waves; ++k) a.amount.push_back(amount_of_wave(k, s.at[axis_number], s.width));
    return a;
}

hot_body::axis hot_body::no_waves() { return {1, 1, {1.0}, {0.0}, std::vector<double>(spots.size(), 1.0)}; }

hot_body::hot_body(const extents& size, double alpha)
    : size_(size), alpha_(alpha), x_(waves_along(size.x, 0)), y_(waves_along(size.y, 1)),
      z_(size.flat ? no_waves() : waves_along(size.z, 2))
{
}

std::vector<double> hot_body::amounts_after(std::size_t steps) const
{
    std::vector<double> result;
    for (std::size_t kz = 0; kz < z_.waves; ++kz)
        for (std::size_t ky = 0; ky < y_.waves; ++ky)
            for (std::size_t kx = 0; kx < x_.waves; ++kx) {
                double amount = 0;
                for (std::size_t s = 0; s < spots.size(); ++s)
                    amount += spots[s].temperature * x_.amount[s * x_.waves + kx] * y_.amount[s * y_.waves + ky] *
                              z_.amount[s * z_.waves + kz];
                const double fading = 1 - 4 * alpha_ * (x_.fading[kx] + y_.fading[ky] + z_.fading[kz]);
                result.push_back(amount * std::pow(fading, static_cast<double>(steps)));
            }
    return result;
}

std::vector<double> hot_body::after(std::size_t steps) const
{
    const std::vector<double> amounts = amounts_after(steps);
    std::vector<double> result(size_.points()), of_plane(y_.waves * x_.waves), of_row(x_.waves);
    double* row = result.data();
    for (std::size_t z = 0; z < size_.z; ++z) {
        std::ranges::fill(of_plane, 0.0);
        for (std::size_t k = 0; k < z_.waves; ++k)
            for (std::size_t i = 0; i < of_plane.size(); ++i)
                of_plane[i] += amounts[k * of_plane.size() + i] * z_.value[k * size_.z + z];
        for (std::size_t y = 0; y < size_.y; ++y, row += size_.x) {
            std::ranges::fill(of_row, 0.0);
            for (std::size_t k = 0; k < y_.waves; ++k)
                for (std::size_t i = 0; i < of_row.size(); ++i)
                    of_row[i] += of_plane[k * x_.waves + i] * y_.value[k * size_.y + y];
            for (std::size_t k = 0; k < x_.waves; ++k)
                for (std::size_t x = 0; x < size_.x; ++x) row[x] += of_row[k] * x_.value[k * size_.x + x];
        }
    }
    return result;
}

} // namespace heat
