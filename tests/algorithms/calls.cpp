// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <skelrt/algorithms.hpp>

using namespace test;

namespace
{

/// 4 rows, whose sums are 3, 12, 21 and 30.
sk::matrix<int> counted()
{
    return matrix_of(4, 3, expected(12, [](std::size_t i) { return static_cast<int>(i); }));
}

const auto sum = sk::reduce(sk::plus, 0);
const auto running = sk::scan(sk::plus);

} // namespace

TEST_CASE("algorithms take calls whose size is known when they are computed", "[calls]")
{
    const sk::matrix<int> m = counted();
    const sk::vector<int> k{1, 1, 2, 2}, at{3, 2, 1, 0}, offsets{0, 2, 4};
    check_equal(sk::top_k(sum.by_row(m), 2), std::vector{30, 21});
    check_equal(sk::top_k(running(sum.by_row(m) * 2), 1), std::vector{132});

    const auto [keys, sums] = sk::reduce_by_key(k, sum.by_row(m), sk::plus);
    check_equal(keys, std::vector{1, 2});
    check_equal(sums, std::vector{15, 51});
    check_equal(sk::reduce_by_key(sk::sort(k), sum.by_row(m) + 1, sk::plus).values, std::vector{17, 53});
    const sk::vector<int> inclusive = sk::scan_by_key(sk::sort(k), sum.by_row(m), sk::plus);
    check_equal(inclusive, std::vector{3, 15, 21, 51});
    const sk::vector<int> before = sk::exclusive_scan_by_key(sk::sort(k), sum.by_row(m), sk::plus, 0);
    check_equal(before, std::vector{0, 3, 0, 21});
    check_equal(sk::reduce_segments(sum.by_row(m), offsets, sk::plus, 0), std::vector{15, 51});
    const sk::vector<int> within = sk::scan_segments(sum.by_row(m), offsets, sk::plus);
    check_equal(within, std::vector{3, 15, 21, 51});

    const std::size_t first = sk::find_if(sum.by_row(m), SKELRT_FN((int v) { return v > 20; }));
    REQUIRE(first == 2);
    sk::vector<int> y(4, 0);
    sk::scatter(sum.by_row(m), at, y);
    check_equal(y, std::vector{30, 21, 12, 3});
    sk::scatter(sum.by_row(m), sk::sort(at), y);
    check_equal(y, std::vector{3, 12, 21, 30});
}

TEST_CASE("what is wrong with such a call is said of it", "[calls]")
{
    const sk::matrix<int> m = counted();
    REQUIRE_THROWS_WITH(sk::top_k(sum.by_row(m), 5), Catch::Contains("sk::top_k") && Catch::Contains("4"));
    REQUIRE_THROWS_WITH(sk::reduce_by_key(sk::vector<int>(3, 1), sum.by_row(m), sk::plus),
                        Catch::Contains("sk::reduce_by_key") && Catch::Contains("4"));
}
