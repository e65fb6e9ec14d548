// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/vec3.hpp"

#include <skelrt/skelrt.hpp>

#include <cstddef>

namespace lj
{

// What the devices see. Units in which sigma, epsilon and the mass of an atom are 1.
// clang-format off
SKELRT_SHARED(
    using apps::vec3;
    struct atom { vec3 at, speed; unsigned number; };
    struct pull { vec3 force; float energy; };
    struct cells { float edge, cutoff; int along; }; // of the periodic box; cells along its edge
    inline int cell_of(float x, cells b) { int c = (int)(x * (float)b.along / b.edge); return c < b.along ? c : b.along - 1; }
    inline float wrapped(float x, float edge) { return x < 0.0f ? x + edge : x >= edge ? x - edge : x; }
    inline float nearest(float d, float edge) { return d > 0.5f * edge ? d - edge : d < -0.5f * edge ? d + edge : d; }
    inline vec3 into_box(vec3 a, float edge) { return vec3{wrapped(a.x, edge), wrapped(a.y, edge), wrapped(a.z, edge)}; }
    inline vec3 apart(vec3 a, vec3 b, float edge) // from b to a, the shortest way
    {
        return vec3{nearest(a.x - b.x, edge), nearest(a.y - b.y, edge), nearest(a.z - b.z, edge)};
    }
)
// clang-format on

/// Lennard-Jones atoms in a periodic box. Forces come from cell lists: atoms sorted by the cell that they are in, anew
/// in each step.
class fluid
{
public:
    /// 4 n^3 atoms on a face-centred lattice, with speeds at random of the temperature.
    fluid(std::size_t n, float density, float temperature, float cutoff);
    /// Velocity Verlet. Asynchronous.
    void steps(std::size_t n, float dt);
    /// Kinetic and potential energy an atom. Waits for the value.
    double energy() const;
    /// In the order of the cells.
    const skelrt::vector<atom>& atoms() const { return atoms_; }
    const cells& box() const { return box_; }

private:
    void find_pulls();

    cells box_;
    skelrt::vector<atom> atoms_;
    skelrt::vector<pull> pulls_;
};

} // namespace lj
