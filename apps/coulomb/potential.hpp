// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "molecule.hpp"

#include <skelrt/skelrt.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace coulomb
{

/// Coulomb's constant in kJ mol^-1 nm e^-2: charges in e and lengths in nm give kJ/(mol e).
inline constexpr double coulomb_constant = 138.935458;

/// Grid points nearer to an atom than this (nm) get the value at this distance: the potential of a point charge has no
/// bound. Half the length of an O-H bond, so well inside every atom.
inline constexpr double nearest = 0.05;

// What the devices see. One position of the map computes a run of 8 neighbours along x: an atom is loaded once for all
// of them, the CPU has a vector to fill, and a GPU thread has independent work that hides latencies.
// clang-format off
SKELRT_SHARED(
    struct __attribute__((aligned(16))) point_charge { float x, y, z, q; };
    struct run8 { float v[8]; };
    struct lattice {
        float x0, y0, z0; // the first grid point
        float hx, hy, hz; // distances of grid points
        unsigned ny;
        float scale;      // Coulomb's constant
        float near2;      // square of the nearest distance
    };
)
// clang-format on
inline constexpr std::size_t run_length = 8;

using extents = std::array<std::size_t, 3>;

/// The points of a regular grid: the middles of equal cells that fill a region. Stored in rows of runs along x, one row
/// for each (z, y); the last run of a row may stick out.
struct grid {
    extents size;
    lattice where;

    grid(const region& r, const extents& size);
    std::size_t points() const { return size[0] * size[1] * size[2]; }
    std::size_t rows() const { return size[1] * size[2]; }
    std::size_t runs() const { return (size[0] + run_length - 1) / run_length; }
    /// Position of a grid point in double precision, from the numbers that the devices use.
    std::array<double, 3> position(const extents& point) const;
};

/// The potential at the points of a grid.
struct field {
    grid where;
    skelrt::matrix<run8> values;

    explicit field(const grid& g) : where(g), values(g.rows(), g.runs(), skelrt::uninitialized) {}
};

/// The atoms as devices see them.
skelrt::vector<point_charge> charges_of(const molecule& m);

/// Computes the potential of all charges at all points, asynchronously, on the devices that this thread may use.
void compute(field& f, const skelrt::vector<point_charge>& charges);

/// The values on the host, x fastest, without what sticks out. Waits for them.
std::vector<float> values_of(const field& f);

} // namespace coulomb
