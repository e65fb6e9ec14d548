// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/text.hpp"
#include "molecule.hpp"

#include <algorithm>
#include <charconv>
#include <istream>

#include <fmt/format.h>

namespace coulomb
{
namespace
{

using apps::number, apps::text_place, apps::trim, apps::words;

constexpr std::size_t first_coordinate = 20; // residue number, residue, atom, atom number: five columns each

class gro_reader
{
public:
    gro_reader(std::istream& in, const std::string& name) : in_(in), place_{name, 0} {}

    molecule run()
    {
        molecule m;
        m.title = std::string(trim(next("the title")));
        const std::size_t count = read_count();
        m.atoms.reserve(std::min<std::size_t>(count, 1'000'000)); // a false count should not cost the memory
        for (std::size_t i = 0; i < count; ++i) m.atoms.push_back(read_atom(i, count));
        m.box = read_box();
        return m;
    }

private:
    std::string_view next(const std::string& what)
    {
        ++place_.line;
        if (!std::getline(in_, line_)) place_.fail(fmt::format("the file ends where {} should be", what));
        if (line_.ends_with('\r')) line_.pop_back();
        return line_;
    }

    std::size_t read_count()
    {
        const auto text = trim(next("the number of atoms"));
        std::size_t count = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
        if (error != std::errc{} || end != text.data() + text.size() || count == 0 || count > max_atoms)
            place_.fail(
                fmt::format("the second line should be the number of atoms (1 to {}), but is \"{}\"", max_atoms, text));
        return count;
    }

    /// The format allows any precision: a coordinate is as wide as the distance between two decimal points.
    std::size_t coordinate_width(std::string_view line) const
    {
        const auto first = line.find('.', first_coordinate);
        const auto second = first == std::string_view::npos ? first : line.find('.', first + 1);
        if (second == std::string_view::npos)
            place_.fail("an atom needs three coordinates with decimal points from column 21 on");
        return second - first;
    }

    atom read_atom(std::size_t i, std::size_t count)
    {
        const auto line = next(fmt::format("atom {} of {}", i + 1, count));
        const auto width = coordinate_width(line);
        if (line.size() < first_coordinate + 2 * width + 1) place_.fail("the line ends before its third coordinate");
        atom a{};
        constexpr std::array<std::string_view, 3> names{"the x coordinate", "the y coordinate", "the z coordinate"};
        for (std::size_t d = 0; d < 3; ++d)
            a.at[d] = number(line.substr(first_coordinate + d * width, width), names[d], place_);
        name_atom(a, trim(line.substr(5, 5)), trim(line.substr(10, 5)));
        return a;
    }

    void name_atom(atom& a, std::string_view residue, std::string_view name) const
    {
        if (!charge_of(residue, name, a.charge))
            place_.fail(
                fmt::format("no charge is known for atom {} of residue {}: a .gro file has none, and coulomb knows "
                            "SPC water and single ions; use a .pqr file, which has charges",
                            name, residue));
        a.element = name.empty() ? '?' : name[0];
    }

    std::array<double, 3> read_box()
    {
        const auto fields = words(next("the box"));
        if (fields.size() != 3 && fields.size() != 9)
            place_.fail(fmt::format("the box should be 3 or 9 numbers, but the line has {} words", fields.size()));
        std::array<double, 3> box{};
        for (std::size_t i = 0; i < fields.size(); ++i) {
            const double edge = number(fields[i], "an edge of the box", place_);
            if (i < 3 && edge < 0) place_.fail(fmt::format("an edge of the box is negative: {}", edge));
            if (i < 3) box[i] = edge;
            else if (edge != 0) return {}; // not rectangular: as good as none for us
        }
        return std::ranges::count(box, 0.0) > 0 ? std::array<double, 3>{} : box;
    }

    std::istream& in_;
    text_place place_;
    std::string line_;
};

} // namespace

molecule read_gro(std::istream& in, const std::string& name) { return gro_reader(in, name).run(); }

} // namespace coulomb
