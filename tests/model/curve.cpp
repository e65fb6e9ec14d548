// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/times/curve.hpp"

#include <catch2/catch.hpp>

#include <random>

using namespace skelrt::detail;

namespace
{

/// Runs that took fixed + slope * elements, one after the other.
struct runner {
    curve c;
    std::int64_t now = 0;
    void run(double elements, double us, int times = 1)
    {
        for (int i = 0; i < times; ++i) c.add({elements, us, ++now});
    }
    double at(std::size_t n) const { return c.near(n, 0).at(n); }
};

} // namespace

TEST_CASE("a single run is believed, and extrapolated in proportion", "[curve]")
{
    runner r;
    r.run(1000, 50);
    REQUIRE(r.at(1000) == Approx(50));
    REQUIRE(r.at(10'000) == Approx(500));
    REQUIRE(r.at(10) == Approx(0.5));
}

TEST_CASE("what starts a run does not grow with it", "[curve]")
{
    runner r;
    r.run(1000, 10);
    const line l = r.c.near(1000, 4);
    REQUIRE(l.at(1000) == Approx(10));
    REQUIRE(l.at(10'000) == Approx(4 + 60));
    REQUIRE(r.c.near(1000, 40).fixed_us == Approx(5)); // at most half of what was measured
}

TEST_CASE("an affine cost is found between and beyond the known sizes", "[curve]")
{
    runner r;
    const auto cost = [](double n) { return 20 + 0.01 * n; };
    for (double n : {1e3, 1e4, 1e6}) r.run(n, cost(n), 7);
    for (std::size_t n : {1000u, 3000u, 10'000u, 200'000u, 1'000'000u, 50'000'000u})
        REQUIRE(r.at(n) == Approx(cost(static_cast<double>(n))).epsilon(0.02));
    REQUIRE(r.at(1) == Approx(20).epsilon(0.1));
}

TEST_CASE("outliers move nothing", "[curve]")
{
    runner r;
    for (double n : {1e4, 1e5, 1e6}) {
        r.run(n, n * 0.01, 4);
        r.run(n, n * 5, 3);
    }
    for (std::size_t n : {10'000u, 50'000u, 1'000'000u}) REQUIRE(r.at(n) == Approx(static_cast<double>(n) * 0.01));
}

TEST_CASE("one wild first run of a size is put right by larger ones, and by the second run", "[curve]")
{
    runner r;
    r.run(1e4, 90'000); // a kernel was built
    REQUIRE(r.at(10'000) == Approx(90'000));
    r.run(1e6, 1000, 2);
    REQUIRE(r.at(10'000) <= 1000);
    r.run(1e4, 12);
    REQUIRE(r.at(10'000) == Approx(12));
}

TEST_CASE("one wild fast run of a large size does not cut the smaller ones", "[curve]")
{
    runner r;
    r.run(1e4, 100, 5);
    r.run(1e6, 1); // impossible
    REQUIRE(r.at(10'000) == Approx(100));
    REQUIRE(r.at(1'000'000) >= 100);
}

TEST_CASE("drift is followed within a window", "[curve]")
{
    runner r;
    r.run(4096, 10, 100);
    r.run(4096, 20, curve::kept_runs / 2 + 1);
    REQUIRE(r.at(4096) == Approx(20));
    REQUIRE(r.c.runs().size() == curve::kept_runs);
}

TEST_CASE("times never fall with the size and are never negative, whatever the noise", "[curve]")
{
    std::mt19937 random(7);
    std::lognormal_distribution<double> noise(0, 1.5);
    for (int trial = 0; trial < 200; ++trial) {
        runner r;
        const int sizes = 1 + trial % 12;
        for (int k = 0; k < sizes; ++k) {
            const double n = std::exp2(4 + 2 * k + trial % 3);
            r.run(n, (5 + n * 1e-3) * noise(random), 1 + trial % 5);
        }
        double before = 0;
        for (std::size_t n = 1; n < std::size_t{1} << 34; n = n * 3 / 2 + 1) {
            const line l = r.c.near(n, 4);
            REQUIRE(l.fixed_us >= 0);
            REQUIRE(l.element_us >= 0);
            REQUIRE(l.at(n) >= before * (1 - 1e-9));
            before = l.at(n);
        }
        REQUIRE(before > 0);
    }
}

TEST_CASE("noise between the last sizes does not tilt what lies beyond", "[curve]")
{
    runner r;
    r.run(1e6, 1000, 7);
    r.run(1.1e6, 1000, 7); // the same time: the slope between them is 0
    r.run(2.2e6, 2200, 7);
    REQUIRE(r.at(100'000'000) == Approx(100'000).epsilon(0.6));
    runner flat;
    flat.run(1e6, 1000, 7);
    flat.run(3e6, 1000, 7);
    REQUIRE(flat.at(300'000'000) > 20'000); // not 1000
}

TEST_CASE("a cost that grows faster than the size stays above 0 below it", "[curve]")
{
    runner r;
    for (double n : {1e3, 2e3, 4e3, 8e3}) r.run(n, n * n * 1e-3, 3);
    REQUIRE(r.at(3000) == Approx(9000).epsilon(0.15));
    REQUIRE(r.at(500) > 0);
    REQUIRE(r.at(16'000) > r.at(8000));
}

TEST_CASE("runs come in any order, and none counts twice", "[curve]")
{
    curve one, two;
    for (std::int64_t t = 0; t < 20; ++t) one.add({1000, 10.0 + static_cast<double>(t), t});
    for (std::int64_t t = 19; t >= 0; --t)
        two.add({1000, 10.0 + static_cast<double>(t), t}), two.add({1000, 10.0 + static_cast<double>(t), t});
    REQUIRE(one.runs() == two.runs());
    REQUIRE(one.newest() == 19);
}

TEST_CASE("a correction takes what contradicts it away", "[curve]")
{
    runner r;
    r.run(100, 1, 7);
    r.run(1000, 2, 7);
    r.run(10'000, 3, 7);
    r.c.correct({1000, 2.5, ++r.now});
    REQUIRE(r.c.runs().size() == 15);
    REQUIRE(r.at(1000) == Approx(2.5));
    r.c.correct({1000, 50, ++r.now});
    REQUIRE(r.c.runs().size() == 8); // more elements do not take less
    r.c.correct({900, 0.5, ++r.now});
    REQUIRE(r.c.runs().size() == 1); // nor fewer more
}
