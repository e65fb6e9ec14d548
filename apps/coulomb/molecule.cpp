// SPDX-License-Identifier: BSD-3-Clause
#include "molecule.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <limits>

#include <fmt/format.h>

namespace coulomb
{
namespace
{

struct known_charge {
    std::string_view residue, atom;
    double charge;
};

constexpr known_charge known[] = {
    {"NA", "NA", 1}, {"NA+", "NA+", 1}, {"NA+", "NA", 1},   {"K", "K", 1},     {"K+", "K+", 1},
    {"LI", "LI", 1}, {"CL", "CL", -1},  {"CL-", "CL-", -1}, {"CL-", "CL", -1}, {"BR", "BR", -1},
    {"MG", "MG", 2}, {"ZN", "ZN", 2},   {"CA", "CA", 2},
};

constexpr double spc_oxygen = -0.82, spc_hydrogen = 0.41;

bool is_water(std::string_view residue)
{
    constexpr std::string_view names[] = {"SOL", "HOH", "WAT", "SPC", "H2O"};
    return std::ranges::find(names, residue) != std::end(names);
}

bool water_charge(std::string_view atom, double& charge)
{
    constexpr std::string_view oxygens[] = {"OW", "O", "OH2"};
    constexpr std::string_view hydrogens[] = {"HW1", "HW2", "HW", "H1", "H2"};
    if (std::ranges::find(oxygens, atom) != std::end(oxygens)) charge = spc_oxygen;
    else if (std::ranges::find(hydrogens, atom) != std::end(hydrogens)) charge = spc_hydrogen;
    else return false;
    return true;
}

std::string lower(std::string text)
{
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
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

bool charge_of(std::string_view residue, std::string_view atom, double& charge)
{
    if (is_water(residue)) return water_charge(atom, charge);
    for (const auto& k : known)
        if (k.residue == residue && k.atom == atom) {
            charge = k.charge;
            return true;
        }
    return false;
}

molecule read_molecule(const std::filesystem::path& path)
{
    const std::string name = path.string();
    const auto extension = lower(path.extension().string());
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
