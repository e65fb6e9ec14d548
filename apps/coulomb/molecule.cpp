// SPDX-License-Identifier: BSD-3-Clause
#include "molecule.hpp"

#include "apps/shared/program/text.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>

#include <fmt/format.h>

namespace coulomb
{
namespace
{

using apps::number, apps::text_place, apps::trim, apps::words;

constexpr std::string_view coordinates[] = {"the x coordinate", "the y coordinate", "the z coordinate"};

/// SPC water and single ions.
std::optional<double> charge_of(std::string_view residue, std::string_view atom)
{
    constexpr std::string_view waters[] = {"SOL", "HOH", "WAT", "SPC", "H2O"};
    if (std::ranges::count(waters, residue) > 0 && atom.starts_with('O')) return -0.82;
    if (std::ranges::count(waters, residue) > 0 && atom.starts_with('H')) return 0.41;
    constexpr std::pair<std::string_view, double> ions[] = {{"NA", 1},  {"K", 1},  {"LI", 1}, {"CL", -1},
                                                            {"BR", -1}, {"MG", 2}, {"ZN", 2}, {"CA", 2}};
    const auto name_of = [](std::string_view ion) { return ion.substr(0, ion.find_first_of("+-")); };
    for (const auto& [name, charge] : ions)
        if (name == name_of(residue) && name == name_of(atom)) return charge;
    return std::nullopt;
}

/// Residue number, residue, atom and its number have five columns each. The format allows any precision: a coordinate
/// is as wide as the distance between two decimal points.
atom gro_atom(std::string_view line, const text_place& place)
{
    constexpr std::size_t first = 20;
    const auto point = line.find('.', first), next = line.find('.', std::min(point, line.size() - 1) + 1);
    if (next == std::string_view::npos)
        place.fail("an atom needs three coordinates with decimal points from column 21 on");
    const std::size_t width = next - point;
    if (line.size() < first + 2 * width + 1) place.fail("the line ends before its third coordinate");
    atom a{};
    for (std::size_t d = 0; d < 3; ++d) a.at[d] = number(line.substr(first + d * width, width), coordinates[d], place);
    const auto residue = trim(line.substr(5, 5)), name = trim(line.substr(10, 5));
    const auto charge = charge_of(residue, name);
    if (!charge)
        place.fail(
            fmt::format("no charge is known for atom {} of residue {}: a .gro file has none, and coulomb knows SPC "
                        "water and single ions; use a .pqr file, which has charges",
                        name, residue));
    a.charge = *charge;
    a.element = name[0];
    return a;
}

std::array<double, 3> gro_box(std::string_view line, const text_place& place)
{
    const auto fields = words(line);
    if (fields.size() != 3 && fields.size() != 9)
        place.fail(fmt::format("the box should be 3 or 9 numbers, but the line has {} words", fields.size()));
    std::array<double, 3> box{};
    bool rectangular = true; // else it is as good as none for us
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const double edge = number(fields[i], "an edge of the box", place);
        if (i < 3 && edge < 0) place.fail(fmt::format("an edge of the box is negative: {}", edge));
        if (i < 3) box[i] = edge;
        rectangular = rectangular && (i < 3 ? edge > 0 : edge == 0);
    }
    return rectangular ? box : std::array<double, 3>{};
}

/// ATOM serial name residue [chain] number x y z charge radius: the five numbers are counted from the end.
atom pqr_atom(const std::vector<std::string_view>& fields, const text_place& place)
{
    if (fields.size() < 10 || fields.size() > 11)
        place.fail(
            fmt::format("an atom has 10 or 11 words (kind, serial, name, residue, [chain], number, x, y, z, charge, "
                        "radius), but this line has {}",
                        fields.size()));
    const auto numbers = fields.size() - 5;
    atom a{};
    for (std::size_t d = 0; d < 3; ++d) a.at[d] = 0.1 * number(fields[numbers + d], coordinates[d], place);
    a.charge = number(fields[numbers + 3], "the charge", place);
    number(fields[numbers + 4], "the radius", place); // not used, but a shifted line shows itself here
    a.element = fields[2][0];
    return a;
}

constexpr double margin = 0.3; // nm around atoms that have no box

region bounds(const molecule& m)
{
    constexpr double far = std::numeric_limits<double>::max();
    region r{{far, far, far}, {-far, -far, -far}};
    for (const auto& a : m.atoms)
        for (std::size_t d = 0; d < 3; ++d) {
            r.low[d] = std::min(r.low[d], a.at[d]);
            r.high[d] = std::max(r.high[d], a.at[d]);
        }
    return r;
}

} // namespace

molecule read_gro(std::istream& in, const std::string& name)
{
    text_place place{name, 0};
    std::string line;
    const auto next = [&](const std::string& what) {
        ++place.line;
        if (!std::getline(in, line)) place.fail(fmt::format("the file ends where {} should be", what));
        return trim(line).empty() ? std::string_view{} : std::string_view(line).substr(0, line.find('\r'));
    };
    molecule m{std::string(trim(next("the title"))), {}, {}};
    const double count = number(next("the number of atoms"), "the number of atoms", place);
    if (count < 1 || count > static_cast<double>(max_atoms))
        place.fail(fmt::format("the number of atoms should be 1 to {}, but is {}", max_atoms, count));
    for (std::size_t i = 0; static_cast<double>(i) < count; ++i)
        m.atoms.push_back(gro_atom(next(fmt::format("atom {} of {}", i + 1, count)), place));
    m.box = gro_box(next("the box"), place);
    return m;
}

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
        m.atoms.push_back(pqr_atom(fields, place));
        if (m.atoms.size() > max_atoms) place.fail(fmt::format("more than {} atoms", max_atoms));
    }
    if (m.atoms.empty()) place.fail("the file ends, and no line of it is an ATOM or HETATM");
    return m;
}

molecule read_molecule(const std::filesystem::path& path)
{
    const std::string name = path.string(), extension = path.extension().string();
    if (extension != ".gro" && extension != ".pqr")
        throw input_error(fmt::format("{}: a molecule is read from a .gro or a .pqr file", name));
    std::ifstream in(path);
    if (!in || std::filesystem::is_directory(path)) throw input_error(fmt::format("{}: cannot be read", name));
    return extension == ".gro" ? read_gro(in, name) : read_pqr(in, name);
}

molecule replicate(const molecule& m, const std::array<std::size_t, 3>& copies)
{
    const auto total = copies[0] * copies[1] * copies[2];
    if (total == 1) return m;
    if (!m.has_box()) throw input_error("--replicate: the molecule has no rectangular box to repeat");
    if (total > max_atoms / m.atoms.size())
        throw input_error(
            fmt::format("--replicate: {} copies of {} atoms are more than {}", total, m.atoms.size(), max_atoms));
    molecule result{m.title, {}, m.box};
    result.atoms.reserve(total * m.atoms.size());
    for (std::size_t z = 0; z < copies[2]; ++z)
        for (std::size_t y = 0; y < copies[1]; ++y)
            for (std::size_t x = 0; x < copies[0]; ++x)
                for (atom a : m.atoms) {
                    a.at = {a.at[0] + x * m.box[0], a.at[1] + y * m.box[1], a.at[2] + z * m.box[2]};
                    result.atoms.push_back(a);
                }
    for (std::size_t d = 0; d < 3; ++d) result.box[d] *= copies[d];
    return result;
}

region surroundings(const molecule& m)
{
    region r = bounds(m);
    for (std::size_t d = 0; d < 3; ++d) {
        const double middle = 0.5 * (r.low[d] + r.high[d]);
        const double half = m.has_box() ? 0.5 * m.box[d] : 0.5 * (r.high[d] - r.low[d]) + margin;
        r.low[d] = middle - half;
        r.high[d] = middle + half;
    }
    return r;
}

} // namespace coulomb
