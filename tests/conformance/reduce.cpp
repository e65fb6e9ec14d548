// SPDX-License-Identifier: BSD-3-Clause
#include "monoids.hpp"

#include <algorithm>
#include <numeric>

using namespace test;

namespace
{

auto reduce_sizes()
{
    return GENERATE(as<std::size_t>(), 1, 2, 3, 5, 31, 33, 63, 64, 65, 255, 256, 257, 1023, 4097, 50021, 1'000'003);
}

long total(const std::vector<int>& v) { return std::accumulate(v.begin(), v.end(), 0L); }

const auto widen = sk::map(SKELRT_FN((int a) { return (long)a; }));

} // namespace

TEST_CASE("sum of a vector", "[reduce]")
{
    const auto n = reduce_sizes();
    const auto a = numbers<int>(n);
    const auto x = vector_of(a);
    const int s = sk::reduce(sk::plus, 0)(x);
    REQUIRE(s == total(a));
    const int without_start = sk::reduce(sk::plus)(x);
    REQUIRE(without_start == total(a));
    const long mapped = sk::reduce(sk::plus, 0L)(widen(x));
    REQUIRE(mapped == total(a));
    REQUIRE(sk::reduce(sk::plus, 0)(x).get() == total(a));
}

TEST_CASE("the start value is used exactly once, in front", "[reduce]")
{
    const auto n = reduce_sizes();
    const sk::vector<int> ones(n, 1);
    const int s = sk::reduce(sk::plus, 1000)(ones);
    REQUIRE(s == 1000 + static_cast<int>(n));
    const int p = sk::reduce(sk::multiplies, 7)(ones);
    REQUIRE(p == 7);
    const auto maps = affine_maps(n);
    const affine start{5, 11};
    const affine got = sk::reduce(compose, start)(vector_of(maps));
    std::vector<affine> all{start};
    all.insert(all.end(), maps.begin(), maps.end());
    REQUIRE(got == folded(compose, all));
}

TEST_CASE("a product of ones is one", "[reduce]")
{
    const auto n = reduce_sizes();
    REQUIRE(sk::reduce(sk::multiplies)(sk::vector<int>(n, 1)).get() == 1);
    REQUIRE(sk::reduce(sk::multiplies, 1.0)(sk::vector<double>(n, 1.0)).get() == 1.0);
}

TEST_CASE("nothing to reduce", "[reduce]")
{
    const sk::vector<int> none(0), never;
    REQUIRE(sk::reduce(sk::plus, 42)(none).get() == 42);
    REQUIRE(sk::reduce(sk::plus, 42)(never).get() == 42);
    REQUIRE_THROWS_AS(sk::reduce(sk::plus)(none).get(), sk::error);
    REQUIRE_THROWS_WITH(sk::reduce(sk::plus)(none).get(), Catch::Contains("no value without a start value"));
    const sk::scalar<int> s = sk::reduce(sk::plus, 43)(none);
    REQUIRE(s.get() == 43);
    REQUIRE_THROWS_AS(sk::scalar<int>(sk::reduce(sk::plus)(none)), sk::error);
    REQUIRE(sk::reduce(sk::plus, 44)(sk::matrix<int>(0, 5)).get() == 44);
    REQUIRE(sk::reduce(sk::plus, 45)(sk::matrix<int>(5, 0)).get() == 45);
}

TEST_CASE("operators that are not commutative keep their order", "[reduce][order]")
{
    const auto n = reduce_sizes();
    const auto f = affine_maps(n);
    const auto m = matrices(n);
    const affine map = sk::reduce(compose)(vector_of(f));
    REQUIRE(map == folded(compose, f));
    const square2 product = sk::reduce(matrix_product)(vector_of(m));
    REQUIRE(product == folded(matrix_product, m));
    const auto a = expected(n, [](std::size_t i) { return static_cast<int>(i) + 5; });
    const auto x = vector_of(a);
    REQUIRE(sk::reduce(keep_first)(x).get() == a.front());
    REQUIRE(sk::reduce(keep_last)(x).get() == a.back());
    REQUIRE(sk::reduce(keep_first, 3)(x).get() == 3);
    REQUIRE(sk::reduce(keep_last, 3)(x).get() == a.back());
}

TEST_CASE("the order holds under a fused map, too", "[reduce][order][fusion]")
{
    const auto n = reduce_sizes();
    const auto make = sk::map(SKELRT_FN((sk::index1 i, unsigned by) {
        affine f;
        f.slope = 2u * (unsigned)(i.i % 5) + 3u;
        f.offset = (unsigned)i.i * by + 1u;
        return f;
    }));
    const affine got = sk::reduce(compose)(make(sk::shape(n), 7u));
    REQUIRE(got == folded(compose, affine_maps(n)));
}

TEST_CASE("minimum and maximum", "[reduce]")
{
    const auto n = reduce_sizes();
    auto a = numbers<float>(n);
    a[n / 3] = -5;
    a[n - 1] += 100;
    const auto x = vector_of(a);
    REQUIRE(sk::reduce(sk::minimum)(x).get() == *std::min_element(a.begin(), a.end()));
    REQUIRE(sk::reduce(sk::maximum)(x).get() == *std::max_element(a.begin(), a.end()));
    REQUIRE(sk::reduce(sk::maximum, 1e9f)(x).get() == 1e9f);
}

TEST_CASE("sums of floats are as exact as they can be", "[reduce]")
{
    const std::size_t n = 1'000'000;
    const sk::vector<float> x(n, 0.1f);
    const float s = sk::reduce(sk::plus, 0.0f)(x);
    REQUIRE(s == Approx(0.1 * n).epsilon(2e-4)); // a running sum is 1 % off
    const sk::vector<double> y(n, 0.1);
    REQUIRE(sk::reduce(sk::plus, 0.0)(y).get() == Approx(0.1 * n).epsilon(1e-12));
}

TEST_CASE("the same call twice gives the same bits", "[reduce]")
{
    const std::size_t n = 300'007;
    const auto a = expected(n, [](std::size_t i) { return 1.0f / static_cast<float>(i + 1); });
    const auto x = vector_of(a);
    const auto sum = sk::reduce(sk::plus, 0.0f);
    const float once = sum(x), again = sum(x);
    // Devices may change between two calls when several are in use; the value only by rounding.
    if (!test::one_device()) REQUIRE(once == Approx(again));
    else REQUIRE(once == again);
}

TEST_CASE("narrow elements are summed in what the operator returns", "[reduce][types]")
{
    const std::size_t n = 10'000;
    const sk::vector<signed char> x(n, 100);
    const int s = sk::reduce(sk::plus, 0)(x);
    REQUIRE(s == 1'000'000);
}

TEST_CASE("into an sk::scalar, and on from there", "[reduce][scalar]")
{
    const auto n = reduce_sizes();
    const auto a = numbers<int>(n);
    const auto x = vector_of(a);
    const int all = static_cast<int>(total(a));
    const auto sum = sk::reduce(sk::plus, 0);
    sk::scalar<int> s = sum(x);
    const auto subtract = sk::map(SKELRT_FN((int v, int t) { return v - t; }));
    const sk::vector<int> y = subtract(x, s);
    s = sk::reduce(sk::maximum)(y); // the call above still uses the old value
    check_equal(y, expected(n, [&](std::size_t i) { return a[i] - all; }));
    REQUIRE(s.get() == *std::max_element(a.begin(), a.end()) - all);
}

TEST_CASE("parts of containers", "[reduce][view]")
{
    const std::size_t rows = 60, cols = 90;
    const auto a = numbers<int>(rows * cols);
    const auto x = vector_of(a);
    const auto m = matrix_of(rows, cols, a);
    const auto sum = sk::reduce(sk::plus, 0);
    REQUIRE(sum(x.range(1000, 3001)).get() == std::accumulate(a.begin() + 1000, a.begin() + 4001, 0));
    REQUIRE(sum(m).get() == total(a));
    REQUIRE(sum(m.row(59)).get() == std::accumulate(a.end() - cols, a.end(), 0));
    int column = 0, part = 0;
    for (std::size_t r = 0; r < rows; ++r) column += a[r * cols + 5];
    REQUIRE(sum(m.column(5)).get() == column);
    for (std::size_t r = 10; r < 30; ++r)
        for (std::size_t c = 20; c < 77; ++c) part += a[r * cols + c];
    REQUIRE(sum(m.sub(10, 20, 20, 57)).get() == part);
}

TEST_CASE("a matrix is reduced row by row, from the left to the right", "[reduce][order]")
{
    const auto [rows, cols] =
        GENERATE(table<std::size_t, std::size_t>({{1, 1}, {1, 777}, {777, 1}, {65, 33}, {200, 300}}));
    const auto f = affine_maps(rows * cols);
    const auto m = matrix_of(rows, cols, f);
    REQUIRE(sk::reduce(compose)(m).get() == folded(compose, f));
}
