// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

using namespace test;

/// Elements made from their position.

TEST_CASE("a vector out of nothing", "[generate]")
{
    const std::size_t n = sizes();
    const auto squares = sk::generate(SKELRT_FN((sk::index1 i, int f) { return f * (int)(i.i * i.i % 1000); }));
    const sk::vector<int> x = squares(sk::shape(n), 3);
    check_equal(x, expected(n, [](std::size_t i) { return 3 * static_cast<int>(i * i % 1000); }));
}

TEST_CASE("a matrix out of nothing, and a reduction of one that is never stored", "[generate][fusion]")
{
    const std::size_t rows = GENERATE(1, 2, 77), cols = GENERATE(1, 3, 130);
    const auto place = sk::generate(SKELRT_FN((sk::index2 p) { return (int)(100 * p.row + p.col); }));
    const sk::matrix<int> m = place(sk::shape(rows, cols));
    const auto want =
        expected(rows * cols, [&](std::size_t i) { return static_cast<int>(100 * (i / cols) + i % cols); });
    check_equal(m, want);
    long total = 0;
    for (int v : want) total += v;
    const auto sum = sk::reduce(SKELRT_FN((long a, long b) { return a + b; }), 0L);
    const auto wide = sk::map(SKELRT_FN((int a) { return (long)a; }));
    const long got = sum(wide(place(sk::shape(rows, cols))));
    REQUIRE(got == total);
}
