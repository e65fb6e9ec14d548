// SPDX-License-Identifier: BSD-3-Clause
#include "misuse.hpp"

#include <limits>

/// What sk::histogram cannot count, and sk::filter cannot keep.

TEST_CASE("histograms: bins and bounds that make no sense", "[histogram]")
{
    const sk::runtime rt;
    const sk::vector<float> x(100, 1.0f);
    REQUIRE_THROWS_WITH(sk::histogram(x, 0, 0.0f, 1.0f),
                        Contains("histogram") && Contains("100 elements") && Contains("at least one bin"));
    REQUIRE_THROWS_WITH(sk::histogram(x, 10, 2.0f, 1.0f), Contains("10 bins from 2 to 1") && Contains("below"));
    REQUIRE_THROWS_AS(sk::histogram(x, 10, 1.0f, 1.0f), sk::error);
    REQUIRE_THROWS_AS(sk::histogram(x, 10, std::numeric_limits<float>::quiet_NaN(), 1.0f), sk::error);
    REQUIRE_THROWS_WITH(sk::histogram(x, 10, 0.0f, std::numeric_limits<float>::infinity()), Contains("finite"));
    REQUIRE_THROWS_WITH(sk::histogram(x, 10, -3e38f, 3e38f), Contains("wide"));
    REQUIRE_THROWS_WITH(sk::histogram(x, 1000, 0.0f, 1e-40f), Contains("narrow"));
    REQUIRE_THROWS_WITH(sk::histogram(x, std::size_t{1} << 40, 0.0f, 1.0f), Contains("at most"));
    const sk::vector<unsigned long> large(100, 1);
    REQUIRE_THROWS_WITH(sk::histogram(large, 10, -1, 5), Contains("bound"));
    REQUIRE_THROWS_WITH(sk::histogram(large, 10, 0ul, ~0ul), Contains("64 bits"));
}

TEST_CASE("histograms: operands of different sizes, and of none", "[histogram]")
{
    const sk::runtime rt;
    const sk::vector<int> x(100, 1), y(99, 1);
    REQUIRE_THROWS_WITH(sk::histogram(add(x, y), 10, 0, 10), Contains("100") && Contains("99"));
    const auto place = sk::map(SKELRT_FN((sk::index1 i) { return (int)i.i; }));
    REQUIRE_THROWS_WITH(sk::histogram(place(), 10, 0, 10), Contains("sk::shape"));
}

TEST_CASE("filters: operands of different sizes, destinations of another size", "[filter]")
{
    const sk::runtime rt;
    const sk::vector<int> x(100, 1), flags(99, 1);
    const auto flagged = sk::filter(SKELRT_FN((int v, int flag) { return flag && v > 0; }));
    sk::vector<int> y(3, 7);
    REQUIRE_THROWS_WITH(y = flagged(x, flags), Contains("filter") && Contains("100") && Contains("99"));
    REQUIRE(values(y) == std::vector<int>(3, 7));
    const auto all = sk::filter(SKELRT_FN((int v) { return v > 0; }));
    sk::vector<int> z(200, 7);
    REQUIRE_THROWS_WITH(z.range(10, 50) = all(x), Contains("50") && Contains("100"));
    z.range(10, 100) = all(x);
    const auto open = sk::host_read(x);
    y = all(x); // a view that reads is in nobody's way
    REQUIRE(y.size() == 100);
}
