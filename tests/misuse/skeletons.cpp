// SPDX-License-Identifier: BSD-3-Clause
#include "misuse.hpp"

#include <stdexcept>

/// Skeletons that are asked for what they cannot do: stencils, scans, pairs, products, gathers, random numbers.

namespace
{

const auto five = sk::stencil(SKELRT_FN((sk::hood2<int> u) { return u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1); }),
                              sk::border::constant(0));
const auto product = sk::all_pairs(sk::multiplies, sk::plus, 0);
const auto pairs = sk::map_pairs(SKELRT_FN((int a, int b) { return a - b; }));

} // namespace

TEST_CASE("stencils on grids of different shapes", "[stencil]")
{
    const sk::runtime rt;
    const sk::matrix<int> m(3, 4, 1), k(4, 3, 1);
    sk::matrix<int> r(2, 2, 7);
    const auto with_element =
        sk::stencil(SKELRT_FN((sk::hood2<int> u, int e) { return u(-1, 0) + e; }), sk::border::nearest());
    const auto with_hood = sk::stencil(SKELRT_FN((sk::hood2<int> u, sk::hood2<int> v) { return u(-1, 0) + v(0, 1); }),
                                       sk::border::cyclic());
    REQUIRE_THROWS_WITH(r = with_element(m, k), Contains("stencil") && Contains("3 x 4") && Contains("4 x 3"));
    REQUIRE_THROWS_WITH(r = with_hood(m, k), Contains("3 x 4") && Contains("4 x 3"));
    REQUIRE_THROWS_WITH(r = with_element.iterate(3, m, k), Contains("3 x 4") && Contains("4 x 3"));
    REQUIRE_THROWS_WITH(r.all() = five(m), Contains("3 x 4") && Contains("2 x 2"));
    REQUIRE_THROWS_WITH(r.all() = five.iterate(2, m), Contains("3 x 4") && Contains("2 x 2"));
    REQUIRE(values(r) == std::vector<int>(4, 7));
}

TEST_CASE("a hood whose reach is not known, or is not kept", "[stencil]")
{
    const sk::runtime rt;
    const sk::matrix<int> m(3, 4, 1);
    sk::matrix<int> r;
    const auto unknown = sk::stencil(SKELRT_FN((sk::hood2<int> u, int d) { return u(d, 0); }), sk::border::nearest());
    REQUIRE_THROWS_WITH(r = unknown(m, 1), Contains("skeletons.cpp") && Contains("sk::reach"));
    const auto exceeds =
        sk::stencil(SKELRT_FN((sk::hood2<int> u) { return u(2, 0); }), sk::border::nearest(), sk::reach(1));
    REQUIRE_THROWS_WITH(r = exceeds(m), Contains("0 to 2") && Contains("-1 to 1"));
    const auto three_axes =
        sk::stencil(SKELRT_FN((sk::hood2<int> u) { return u(1, 0); }), sk::border::nearest(), sk::reach(1, 1, 1));
    REQUIRE_THROWS_WITH(r = three_axes(m), Contains("3 axes") && Contains("2"));
    REQUIRE(r.empty());
}

TEST_CASE("grids of nothing, and smaller than the hood", "[stencil]")
{
    const sk::runtime rt;
    const sk::vector<int> none, x{1, 2, 3};
    sk::matrix<int> r = five(sk::matrix<int>());
    REQUIRE(r.empty());
    r = five.iterate(4, sk::matrix<int>(0, 5));
    REQUIRE(r.empty());
    const auto far = sk::stencil(SKELRT_FN((sk::hood1<int> u) { return u(-7) + 10 * u(7); }), sk::border::cyclic());
    sk::vector<int> y = far(none);
    REQUIRE(y.empty());
    y = far(x);
    REQUIRE(values(y) == std::vector<int>{23, 31, 12});
    const auto kept = sk::stencil(SKELRT_FN((sk::hood1<int> u) { return u(-7) + u(7); }), sk::border::none());
    y = kept(x);
    REQUIRE(values(y) == std::vector<int>{1, 2, 3});
}

TEST_CASE("a condition that throws ends the iteration", "[stencil]")
{
    const sk::runtime rt;
    const sk::matrix<int> m(30, 40, 1);
    sk::matrix<int> r(2, 2, 7);
    const auto fails = [](const auto&, const auto&) -> bool { throw std::runtime_error("mine"); };
    REQUIRE_THROWS_WITH(r = five.iterate_until(fails, 2, m), Contains("mine"));
    REQUIRE(values(r) == std::vector<int>(4, 7));
    r = five(m);
    REQUIRE(r.rows() == 30);
}

TEST_CASE("by row and by column of what is no matrix", "[scan][reduce]")
{
    const sk::runtime rt;
    const sk::vector<int> x(100, 1);
    const sk::tensor<int, 3> t({2, 3, 4}, 1);
    sk::matrix<int> m;
    sk::tensor<int, 3> s;
    sk::vector<int> y;
    const auto running = sk::scan(sk::plus);
    REQUIRE_THROWS_WITH(m = running.by_row(x), Contains("scan") && Contains("sk::plus") && Contains("100"));
    REQUIRE_THROWS_WITH(m = running.by_column(x), Contains("vector of 100"));
    REQUIRE_THROWS_WITH(s = running.by_row(t), Contains("2 x 3 x 4") && Contains("flat"));
    REQUIRE_THROWS_WITH(y = sum.by_row(x), Contains("vector of 100"));
    REQUIRE_THROWS_WITH(y = sum.by_column(x), Contains("vector of 100"));
    REQUIRE_THROWS_WITH(m = running(x), Contains("destination") && Contains("100"));
    REQUIRE_THROWS_WITH(y = running(add(x, sk::vector<int>(99, 1))), Contains("100") && Contains("99"));
    sk::vector<int> z(50, 7);
    REQUIRE_THROWS_WITH(z.range(0, 20) = running(x), Contains("100") && Contains("20"));
    REQUIRE(values(z) == std::vector<int>(50, 7));
}

TEST_CASE("reductions and scans of nothing", "[scan][reduce]")
{
    const sk::runtime rt;
    const sk::vector<int> none;
    const auto without_start = sk::reduce(sk::plus);
    REQUIRE_THROWS_WITH(without_start(none).get(), Contains("start value"));
    sk::vector<int> y;
    REQUIRE_THROWS_WITH(y = without_start.by_row(sk::matrix<int>(3, 0)), Contains("3 x 0"));
    REQUIRE_THROWS_WITH(y = without_start.by_column(sk::matrix<int>(0, 3)), Contains("0 x 3"));
    y = sum.by_column(sk::matrix<int>(0, 3));
    REQUIRE(values(y) == std::vector<int>(3, 0));
    y = sk::scan(sk::plus)(none);
    REQUIRE(y.empty());
    y = sk::exclusive_scan(sk::plus, 5)(none);
    REQUIRE(y.empty());
}

TEST_CASE("pairs of the wrong lengths", "[pairs]")
{
    const sk::runtime rt;
    const sk::vector<int> x(10, 1), none;
    const sk::matrix<int> m(3, 4, 1);
    sk::matrix<int> r;
    sk::vector<int> y;
    const auto three = sk::map_pairs(SKELRT_FN((int a, int b, int e) { return a - b + e; }));
    REQUIRE_THROWS_WITH(r = three(x, x, m), Contains("3 x 4") && Contains("10 x 10"));
    REQUIRE_THROWS_WITH(y = pairs(x, x), Contains("destination") && Contains("10 x 10"));
    REQUIRE_THROWS_WITH(r = add(sk::per_row(x), m), Contains("10") && Contains("3 x 4"));
    REQUIRE_THROWS_WITH(r = add(m, sk::per_column(x)), Contains("10") && Contains("4 columns"));
    const auto reduced = sk::map_pairs_reduce(SKELRT_FN((int a, int b) { return a - b; }), sk::plus);
    REQUIRE_THROWS_WITH(y = reduced(x, none), Contains("start value"));
    r = pairs(none, x);
    REQUIRE(r.empty());
}

TEST_CASE("products of matrices that do not fit together, and into another shape", "[pairs]")
{
    const sk::runtime rt;
    const sk::matrix<int> m(3, 4, 1), k(4, 3, 1), six(6, 3, 1);
    sk::matrix<int> r, wide(6, 600, 7);
    REQUIRE_THROWS_WITH(r = product(m, k), Contains("4 elements") && Contains("3 on the right"));
    REQUIRE_THROWS_WITH(r = product(m, sk::transpose(m)), Contains("3 x 4") && Contains("sk::transpose"));
    REQUIRE_THROWS_WITH(wide.all() = product(six, six), Contains("6 x 6") && Contains("6 x 600"));
    REQUIRE(values(wide) == std::vector<int>(3600, 7));
    r = product(sk::matrix<int>(2, 0), sk::matrix<int>(3, 0));
    REQUIRE(values(r) == std::vector<int>(6, 0));
    const auto without_start = sk::all_pairs(sk::multiplies, sk::plus);
    REQUIRE_THROWS_WITH(r = without_start(sk::matrix<int>(2, 0), sk::matrix<int>(3, 0)), Contains("start value"));
    sk::vector<int> y;
    REQUIRE_THROWS_WITH(y = sk::transpose(m), Contains("sk::transpose") && Contains("4 x 3"));
}

/// A peer accepts it: a 6 x 3 input for a 6 x 600 output.
TEST_CASE("a 6 x 3 input is refused for a 6 x 600 output", "[sizes]")
{
    const sk::runtime rt;
    const sk::matrix<int> six(6, 3, 1);
    sk::matrix<int> wide(6, 600, 7);
    REQUIRE_THROWS_WITH(wide.all() = twice(six), Contains("6 x 3") && Contains("6 x 600"));
    REQUIRE_THROWS_WITH(wide.all() = five(six), Contains("6 x 3") && Contains("6 x 600"));
    REQUIRE_THROWS_WITH(wide.all() = sk::scan(sk::plus)(six), Contains("6 x 3") && Contains("6 x 600"));
    REQUIRE_THROWS_WITH(wide = add(wide, six), Contains("6 x 3") && Contains("6 x 600"));
    REQUIRE(values(wide) == std::vector<int>(3600, 7));
    wide = twice(six); // a container takes the shape of what it is given
    REQUIRE(wide.cols() == 3);
}

TEST_CASE("indices that mean nothing", "[gather]")
{
    const sk::runtime rt;
    const sk::vector<int> x(10, 1), index(10, 0), none;
    sk::vector<int> y, to(5, 0);
    REQUIRE_THROWS_WITH(y = sk::gather(none, index), Contains("sk::gather") && Contains("10"));
    REQUIRE_THROWS_WITH(y = sk::gather(none, twice(index)), Contains("sk::gather") && Contains("10"));
    REQUIRE_THROWS_WITH(sk::scatter_add(x, index, y), Contains("sk::scatter_add") && Contains("10"));
    REQUIRE_THROWS_WITH(sk::scatter_add(x, sk::vector<int>(9, 0), to), Contains("10") && Contains("9"));
    y = sk::gather(x, none);
    REQUIRE(y.empty());
    sk::scatter_add(none, none, to);
    REQUIRE(values(to) == std::vector<int>(5, 0));
}

TEST_CASE("generated elements and random numbers need a shape that fits", "[generate][random]")
{
    const sk::runtime rt;
    const auto draw = sk::map(SKELRT_FN((sk::random r) { return (int)(r.bits() & 1); }));
    const auto iota = sk::generate(SKELRT_FN((sk::index1 i) { return (int)i.i; }));
    const auto in_volume = sk::generate(SKELRT_FN((sk::index3 i) { return (int)i.plane; }));
    sk::vector<int> y;
    REQUIRE_THROWS_WITH(sum(draw(sk::random_seed{1})).get(), Contains("shape"));
    REQUIRE_THROWS_WITH(y = draw(sk::shape(2, 2), sk::random_seed{1}), Contains("destination") && Contains("2 x 2"));
    REQUIRE_THROWS_WITH(y = iota(sk::shape(2, 3)), Contains("destination") && Contains("2 x 3"));
    REQUIRE_THROWS_WITH(y = in_volume(sk::shape(5)), Contains("index3"));
    y = iota(sk::shape(0));
    REQUIRE(y.empty());
}

TEST_CASE("distributions of little, and of nothing", "[distribution]")
{
    const with_variable never_inline("SKELRT_INLINE_US", "0");
    const sk::runtime rt;
    sk::vector<int> x(10, 1), none;
    sk::distribute(x, sk::distribution::block(1000));
    x = twice(x);
    sk::distribute(x, sk::distribution::overlap(1000));
    sk::distribute(none, sk::distribution::block(3));
    x = twice(x);
    REQUIRE(values(x) == std::vector<int>(10, 4));
    const sk::vector<int> combined = sk::distribute(sk::matrix<int>(), sk::distribution::block(), sk::plus);
    REQUIRE(combined.empty());
    std::vector<int> mine(10, 1);
    sk::vector<int> borrowed(sk::borrow, mine.data(), mine.size());
    borrowed = twice(borrowed);
    REQUIRE_THROWS_WITH(sk::distribute(borrowed, sk::distribution::block(3)), Contains("tile"));
}
