// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

using namespace test;

/// Mistakes that other libraries of skeletons are known to have made, each as small as it can be.

namespace
{

const auto product = sk::reduce(sk::multiplies, 1);
const auto plain_product = sk::reduce(sk::multiplies);

SKELRT_SHARED(struct four_numbers { unsigned a, b, c, d; };)

} // namespace

/// Threads without work that contribute T{} make it 0.
TEST_CASE("products of ones are one, in every reduction", "[peer_faults]")
{
    const std::size_t n = GENERATE(1, 3, 1000, 50'021);
    const sk::vector<int> ones(n, 1);
    REQUIRE(product(ones).get() == 1);
    REQUIRE(plain_product(ones).get() == 1);
    const sk::matrix<int> tall(n, 3, 1), wide(3, n, 1);
    check_equal(sk::vector<int>(plain_product.by_row(tall)), std::vector<int>(n, 1));
    check_equal(sk::vector<int>(plain_product.by_column(tall)), std::vector<int>(3, 1));
    check_equal(sk::vector<int>(plain_product.by_row(wide)), std::vector<int>(3, 1));
    check_equal(sk::vector<int>(plain_product.by_column(wide)), std::vector<int>(n, 1));
    check_equal(sk::vector<int>(sk::scan(sk::multiplies)(ones)), std::vector<int>(n, 1));
    check_equal(sk::vector<int>(sk::exclusive_scan(sk::multiplies, 1)(ones)), std::vector<int>(n, 1));
    const auto rows_together = sk::all_pairs(sk::plus, sk::multiplies);
    const sk::matrix<int> halves(3, n, 2), others(2, n, -1);
    check_equal(sk::matrix<int>(rows_together(halves, others)), std::vector<int>(6, 1));
}

/// Of several tiles only the last, or the first, is left.
TEST_CASE("a reduction of several tiles keeps them all", "[peer_faults]")
{
    const std::size_t tiles = GENERATE(2, 3, 7, 40), n = 40'000;
    sk::vector<int> x(n, 1);
    x.set_tiles(tiles);
    REQUIRE(sk::reduce(sk::plus)(x).get() == static_cast<int>(n));
    sk::vector<int> ends(n, 0);
    {
        auto h = sk::host(ends);
        h[0] = 3, h[n / 2] = 5, h[n - 1] = 7;
    }
    ends.set_tiles(tiles);
    REQUIRE(sk::reduce(sk::plus)(ends).get() == 15);
    REQUIRE(sk::reduce(sk::maximum)(ends).get() == 7);
    const sk::vector<int> running = sk::scan(sk::plus)(x);
    check_equal(running, expected(n, [](std::size_t i) { return static_cast<int>(i) + 1; }));
    sk::matrix<int> m(400, 100, 1);
    m.set_tiles(tiles);
    check_equal(sk::vector<int>(sk::reduce(sk::plus).by_column(m)), std::vector<int>(100, 400));
}

TEST_CASE("no start value is ignored, and none counts twice", "[peer_faults]")
{
    const std::size_t n = GENERATE(0, 1, 1500), columns = 4;
    const sk::vector<int> x(n, 1), y(columns, 2);
    const int count = static_cast<int>(n);
    REQUIRE(sk::reduce(sk::plus, 100)(x).get() == 100 + count);
    const sk::matrix<int> m(n, columns, 1);
    check_equal(sk::vector<int>(sk::reduce(sk::plus, 100).by_row(m)), std::vector<int>(n, 104));
    check_equal(sk::vector<int>(sk::reduce(sk::plus, 100).by_column(m)), std::vector<int>(columns, 100 + count));
    const auto counted = [](int from) { return [from](std::size_t i) { return from + static_cast<int>(i); }; };
    check_equal(sk::vector<int>(sk::scan(sk::plus, 100)(x)), expected(n, counted(101)));
    check_equal(sk::vector<int>(sk::exclusive_scan(sk::plus, 100)(x)), expected(n, counted(100)));
    check_equal(sk::vector<int>(sk::map_pairs_reduce(sk::multiplies, sk::plus, 100)(x, y)), std::vector<int>(n, 108));
    check_equal(sk::matrix<int>(sk::all_pairs(sk::multiplies, sk::plus, 100)(m, m)), std::vector<int>(n * n, 104));
}

/// What stands in front of 1 2 3 4 and behind it, written down once for all devices.
TEST_CASE("a border means the same on every backend", "[peer_faults]")
{
    const sk::vector<int> x{1, 2, 3, 4};
    sk::matrix<int> column(4, 1);
    column.column(0) = sk::map(sk::plus)(x, 0);
#define AROUND SKELRT_FN((sk::hood1<int> u) { return u(-2) * 100 + u(0) * 10 + u(1); })
    const auto check = [&](const auto& border, const std::vector<int>& wanted) {
        const auto around = sk::stencil(AROUND, border);
        check_equal(sk::vector<int>(around(x)), wanted);
        check_equal(sk::matrix<int>(around.by_column(column)), wanted);
        sk::vector<int> twice = around.iterate(2, x);
        check_equal(twice, values(sk::vector<int>(around(sk::vector<int>(around(x))))));
    };
    check(sk::border::constant(9), {912, 923, 134, 249});
    check(sk::border::cyclic(), {312, 423, 134, 241});
    check(sk::border::nearest(), {112, 123, 134, 244});
    check(sk::border::none(), {1, 2, 134, 4});
}

/// Workers that take their streams in the order in which they come, or seeds that lie side by side, give the same
/// numbers twice.
TEST_CASE("streams of random numbers do not overlap, whoever draws them", "[peer_faults]")
{
    const std::size_t n = 20'000;
    const auto draw = sk::map(SKELRT_FN((sk::random r) {
        four_numbers f;
        f.a = r.bits(), f.b = r.bits(), f.c = r.bits(), f.d = r.bits();
        return f;
    }));
    std::vector<std::array<unsigned, 4>> all;
    for (const sk::random_seed seed :
         {sk::random_seed{0}, sk::random_seed{1}, sk::random_seed{0, 1}, sk::random_seed{1, 1}}) {
        const sk::vector<four_numbers> drawn = draw(sk::shape(n), seed);
        for (const four_numbers& f : values(drawn)) all.push_back({f.a, f.b, f.c, f.d});
        sk::vector<four_numbers> again(n);
        again.set_tiles(13);
        again = draw(seed);
        const auto h = sk::host_read(again);
        for (std::size_t i = 0; i < n; ++i) REQUIRE(h[i].d == all[all.size() - n + i][3]);
    }
    std::ranges::sort(all);
    REQUIRE(std::ranges::adjacent_find(all) == all.end());
}
