// SPDX-License-Identifier: BSD-3-Clause
#include "reference.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

using namespace coulomb;

namespace
{

const molecule two{"two", {{{0, 0, 0}, 1.0, 'N'}, {{1, 0, 0}, -1.0, 'C'}}, {1, 1, 1}};

/// The formula in another form, in double precision.
std::vector<float> right_values(const grid& g)
{
    std::vector<float> values(g.points());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto p = g.position({i % g.size[0], i / g.size[0] % g.size[1], i / g.size[0] / g.size[1]});
        const double a = std::hypot(p[0], p[1], p[2]), b = std::hypot(p[0] - 1, p[1], p[2]);
        values[i] = static_cast<float>(138.935458 * (1 / std::max(a, 0.05) - 1 / std::max(b, 0.05)));
    }
    return values;
}

} // namespace

TEST_CASE("right values pass, with the size of a float's rounding", "[reference]")
{
    const grid g({{-1, -1, -1}, {1, 1, 1}}, {9, 7, 5});
    const auto c = compare(g, right_values(g), two);
    CHECK(c.good());
    CHECK(c.samples == g.points());
    CHECK(c.relative < 1e-7);
}

TEST_CASE("one wrong value does not pass", "[reference]")
{
    const grid g({{-1, -1, -1}, {1, 1, 1}}, {9, 7, 5});
    auto values = right_values(g);
    values.back() *= 1.001f;
    CHECK_FALSE(compare(g, values, two).good());
    values.back() = std::numeric_limits<float>::quiet_NaN();
    CHECK_FALSE(compare(g, values, two).good());
}

TEST_CASE("grid points are the middles of equal cells", "[reference]")
{
    const grid g({{0, 0, 0}, {1, 2, 4}}, {10, 1, 2});
    CHECK(g.position({0, 0, 0})[0] == Approx(0.05));
    CHECK(g.position({9, 0, 0})[0] == Approx(0.95));
    CHECK(g.position({0, 0, 0})[1] == Approx(1.0));
    CHECK(g.position({0, 0, 1})[2] == Approx(3.0));
    CHECK(g.runs() == 2);
    CHECK(g.rows() == 2);
}
