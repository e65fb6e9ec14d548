// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/text.hpp"
#include "molecule.hpp"

#include <istream>

#include <fmt/format.h>

namespace coulomb
{
namespace
{

using apps::number, apps::text_place, apps::words;

constexpr double nm_per_angstrom = 0.1;

/// ATOM serial name residue [chain] number x y z charge radius: the five numbers are counted from the end.
atom read_atom(const std::vector<std::string_view>& fields, const text_place& place)
{
    if (fields.size() < 10 || fields.size() > 11)
        place.fail(
            fmt::format("an atom has 10 or 11 words (kind, serial, name, residue, [chain], number, x, y, z, charge, "
                        "radius), but this line has {}",
                        fields.size()));
    const auto numbers = fields.size() - 5;
    atom a{};
    constexpr std::array<std::string_view, 3> names{"the x coordinate", "the y coordinate", "the z coordinate"};
    for (std::size_t d = 0; d < 3; ++d) a.at[d] = nm_per_angstrom * number(fields[numbers + d], names[d], place);
    a.charge = number(fields[numbers + 3], "the charge", place);
    number(fields[numbers + 4], "the radius", place); // not used, but a shifted line shows itself here
    a.element = fields[2][0];
    return a;
}

} // namespace

molecule read_pqr(std::istream& in, const std::string& name)
{
    molecule m;
    m.title = name;
    text_place place{name, 0};
    for (std::string line; std::getline(in, line);) {
        ++place.line;
        const auto fields = words(line);
        if (fields.empty()) continue;
        if (fields[0] == "ENDMDL") break; // of several models, the first
        if (fields[0] != "ATOM" && fields[0] != "HETATM") continue;
        m.atoms.push_back(read_atom(fields, place));
        if (m.atoms.size() > max_atoms) place.fail(fmt::format("more than {} atoms", max_atoms));
    }
    if (m.atoms.empty()) place.fail("the file ends, and no line of it is an ATOM or HETATM");
    return m;
}

} // namespace coulomb
