// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/program/error.hpp"

#include <array>
#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

namespace coulomb
{

using apps::input_error;

/// A point charge: nm and elementary charges.
struct atom {
    std::array<double, 3> at;
    double charge;
    char element; ///< first letter of the atom's name: what a picture draws
};

struct molecule {
    std::string title;
    std::vector<atom> atoms;
    std::array<double, 3> box{}; ///< edges of a rectangular periodic box; zeros: there is none
    bool has_box() const { return box[0] > 0; }
};

/// A rectangular region of space, in nm.
struct region {
    std::array<double, 3> low, high;
};

/// Reads a .gro or .pqr file, by its extension. Throws input_error that names the file and the line.
molecule read_molecule(const std::filesystem::path& path);

/// GROMACS' format: fixed columns, nm, no charges: SPC water and single ions get theirs here. The first frame.
molecule read_gro(std::istream& in, const std::string& name);

/// APBS' format: words, Angstrom, charges in the file. No box. Angstrom become nm.
molecule read_pqr(std::istream& in, const std::string& name);

/// Periodic copies along each edge of the box. Throws input_error if there is no box, or for more than max_atoms.
molecule replicate(const molecule& m, const std::array<std::size_t, 3>& copies);
inline constexpr std::size_t max_atoms = 100'000'000;

/// Where the potential is looked at: the box, centred on the atoms, or the atoms' surroundings where there is no box.
region surroundings(const molecule& m);

} // namespace coulomb
