// SPDX-License-Identifier: BSD-3-Clause
#include "molecule.hpp"

#include <catch2/catch.hpp>

#include <sstream>

using namespace coulomb;
using Catch::Contains;

namespace
{

const std::string good_gro = "water\n"
                             "    3\n"
                             "    1SOL     OW    1   0.230   0.628   0.113\n"
                             "    1SOL    HW1    2   0.137   0.626   0.150\n"
                             "    1SOL    HW2    3  -0.231   0.589   0.021  0.1  0.2  0.3\n"
                             "   1.86206   1.86206   2.00000\n";

molecule gro(const std::string& text)
{
    std::istringstream in(text);
    return read_gro(in, "a.gro");
}

molecule pqr(const std::string& text)
{
    std::istringstream in(text);
    return read_pqr(in, "a.pqr");
}

/// good_gro with one text in the place of another.
std::string changed(const std::string& from, const std::string& to)
{
    std::string text = good_gro;
    text.replace(text.find(from), from.size(), to);
    return text;
}

} // namespace

TEST_CASE("a .gro file gives positions, SPC charges and the box", "[gro]")
{
    const auto m = gro(good_gro);
    CHECK(m.title == "water");
    REQUIRE(m.atoms.size() == 3);
    CHECK(m.atoms[0].at == std::array<double, 3>{0.230, 0.628, 0.113});
    CHECK(m.atoms[2].at[0] == -0.231);
    CHECK(m.atoms[0].charge == -0.82);
    CHECK(m.atoms[1].charge == 0.41);
    CHECK(m.atoms[1].element == 'H');
    CHECK(m.box == std::array<double, 3>{1.86206, 1.86206, 2.0});
}

TEST_CASE("a .gro file may have more digits, carriage returns, and nine box numbers", "[gro]")
{
    const auto m = gro("t\r\n1\r\n    1NA      NA    1   0.23012   0.62812   0.11312\r\n 1 1 1 0 0 0 0 0 0\r\n");
    CHECK(m.atoms[0].at == std::array<double, 3>{0.23012, 0.62812, 0.11312});
    CHECK(m.atoms[0].charge == 1);
    CHECK(m.has_box());
    CHECK_FALSE(gro("t\n1\n    1NA      NA    1   0.230   0.628   0.113\n1 1 1 0 0 0.5 0 0 0\n").has_box());
}

TEST_CASE("a bad .gro file is refused with its line", "[gro]")
{
    CHECK_THROWS_WITH(gro(""), Contains("a.gro:1: the file ends where the title should be"));
    CHECK_THROWS_WITH(gro(changed("    3\n", "three\n")), Contains("a.gro:2: ") && Contains("\"three\""));
    CHECK_THROWS_WITH(gro(changed("    3\n", "-3\n")), Contains("a.gro:2: "));
    CHECK_THROWS_WITH(gro(changed("    3\n", "0\n")), Contains("a.gro:2: "));
    CHECK_THROWS_WITH(gro(changed("    3\n", "4\n")), Contains("a.gro:6: "));
    CHECK_THROWS_WITH(gro(changed("0.137", "0.1x7")), Contains("a.gro:4: the x coordinate") && Contains("0.1x7"));
    CHECK_THROWS_WITH(gro(changed("   0.137   0.626   0.150", "   0.137   0.6")), Contains("a.gro:4: "));
    CHECK_THROWS_WITH(gro(changed("1SOL    HW1", "1SOL     MW")), Contains("a.gro:4: no charge is known for atom MW"));
    CHECK_THROWS_WITH(gro(changed("   1.86206   1.86206   2.00000\n", "")),
                      Contains("a.gro:6: the file ends where the box"));
    CHECK_THROWS_WITH(gro(changed("   1.86206", "  ")), Contains("a.gro:6: the box should be 3 or 9 numbers"));
    CHECK_THROWS_WITH(gro(changed("   1.86206", "  -1.86206")), Contains("a.gro:6: an edge of the box is negative"));
    CHECK_THROWS_WITH(gro(changed("   0.137", "     nan")), Contains("a.gro:4: "));
}

TEST_CASE("a .pqr file gives positions in nm and its own charges", "[pqr]")
{
    const auto m = pqr("REMARK something\n"
                       "ATOM      1  N   MET     1      27.340  24.430   2.614 -0.30 1.85\n"
                       "HETATM    2  O   HOH A   2     -10.000   0.000   1.000 +0.41 1.20\n"
                       "TER\nEND\n");
    REQUIRE(m.atoms.size() == 2);
    CHECK(m.atoms[0].at[0] == Approx(2.734));
    CHECK(m.atoms[0].charge == -0.30);
    CHECK(m.atoms[1].at[0] == Approx(-1.0));
    CHECK(m.atoms[1].charge == 0.41);
    CHECK(m.atoms[1].element == 'O');
    CHECK_FALSE(m.has_box());
}

TEST_CASE("a bad .pqr file is refused with its line", "[pqr]")
{
    CHECK_THROWS_WITH(pqr("\nEND\n"), Contains("a.pqr:2: the file ends"));
    CHECK_THROWS_WITH(pqr("ATOM 1 N MET 1 1.0 2.0 3.0 0.5\n"), Contains("a.pqr:1: ") && Contains("this line has 9"));
    CHECK_THROWS_WITH(pqr("TER\nATOM 1 N MET 1 1.0 2.0 3.0 q 1.5\n"),
                      Contains("a.pqr:2: the charge should be a number"));
    CHECK_THROWS_WITH(pqr("ATOM 1 N MET 1 1.0 inf 3.0 1 1.5\n"), Contains("the y coordinate"));
}

TEST_CASE("files that are not there or of no known kind are refused", "[molecule]")
{
    CHECK_THROWS_AS(read_molecule("nowhere.gro"), input_error);
    CHECK_THROWS_WITH(read_molecule("molecule.pdb"), Contains(".gro or a .pqr"));
    CHECK_THROWS_AS(read_molecule(std::filesystem::path(COULOMB_DATA) / "nothing.gro"), input_error);
}

TEST_CASE("the water box is 216 neutral waters", "[molecule]")
{
    const auto m = read_molecule(std::filesystem::path(COULOMB_DATA) / "spc216.gro");
    REQUIRE(m.atoms.size() == 648);
    double charge = 0;
    for (const auto& a : m.atoms) charge += a.charge;
    CHECK(charge == Approx(0).margin(1e-9));
    CHECK(m.box[0] == 1.86206);
    const auto r = surroundings(m);
    CHECK(r.high[0] - r.low[0] == Approx(1.86206));
}

TEST_CASE("a box is repeated along its edges", "[molecule]")
{
    const auto m = replicate(gro(good_gro), {2, 1, 3});
    REQUIRE(m.atoms.size() == 18);
    CHECK(m.atoms[3].at[0] == Approx(0.230 + 1.86206));
    CHECK(m.atoms[17].at[2] == Approx(0.021 + 2 * 2.0));
    CHECK(m.box == std::array<double, 3>{2 * 1.86206, 1.86206, 6.0});
    CHECK_THROWS_AS(replicate(pqr("ATOM 1 N MET 1 1.0 2.0 3.0 1 1.5\n"), {2, 1, 1}), input_error);
    CHECK(replicate(pqr("ATOM 1 N MET 1 1.0 2.0 3.0 1 1.5\n"), {1, 1, 1}).atoms.size() == 1);
}

TEST_CASE("without a box the region has a margin around the atoms", "[molecule]")
{
    const auto r = surroundings(pqr("ATOM 1 N MET 1 10.0 20.0 30.0 1 1.5\n"));
    CHECK(r.low[0] == Approx(0.7));
    CHECK(r.high[2] == Approx(3.3));
}
