// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/skelrt.hpp>

#include <cstddef>

namespace lbm
{

// What the devices see. The nine directions: at rest; right, up, left, down; then the diagonals, from right and up on.
// Rows are y, upwards.
// clang-format off
SKELRT_SHARED(
    struct cell { float f[9]; };
    struct flow { int rows, cols; float x, y, radius, speed, rate; }; // of the cylinder; the wind; 1 / relaxation time
    struct motion { float density, x, y; };
    inline motion motion_of(cell c)
    {
        float density = c.f[0] + c.f[1] + c.f[2] + c.f[3] + c.f[4] + c.f[5] + c.f[6] + c.f[7] + c.f[8];
        return motion{density, (c.f[1] - c.f[3] + c.f[5] - c.f[6] - c.f[7] + c.f[8]) / density,
                      (c.f[2] - c.f[4] + c.f[5] + c.f[6] - c.f[7] - c.f[8]) / density};
    }
    inline float settled(float weight, motion m, float along) // along: velocity in the direction
    {
        return weight * m.density * (1.0f + 3.0f * along + 4.5f * along * along - 1.5f * (m.x * m.x + m.y * m.y));
    }
    inline cell equilibrium(motion m)
    {
        float rest = 4.0f / 9.0f, side = 1.0f / 9.0f, diagonal = 1.0f / 36.0f;
        return cell{{settled(rest, m, 0.0f), settled(side, m, m.x), settled(side, m, m.y), settled(side, m, -m.x),
                     settled(side, m, -m.y), settled(diagonal, m, m.x + m.y), settled(diagonal, m, m.y - m.x),
                     settled(diagonal, m, -m.x - m.y), settled(diagonal, m, m.x - m.y)}};
    }
)
// clang-format on

using lattice = skelrt::matrix<cell>;

/// The wind, everywhere, a little stronger above the middle, so that vortices begin early.
lattice wind(const flow& w);
/// Steps of lattice Boltzmann (D2Q9, BGK): wind enters at the left, leaves at the right, above is below; the cylinder
/// sends back what reaches it. Asynchronous.
void advance(lattice& to, const lattice& from, std::size_t steps, const flow& w);
/// The curl of the velocity.
skelrt::matrix<float> vorticity(const lattice& l);

} // namespace lbm
