// SPDX-License-Identifier: BSD-3-Clause
/// Whether containers are the same, and elements that count up.

#include "support.hpp"

#include <limits>

using namespace test;

namespace
{

const auto twice = sk::map(SKELRT_FN((int a) { return 2 * a; }));
const auto near = SKELRT_FN((double a, double b) { return a - b < 0.5 && b - a < 0.5; });

} // namespace

TEST_CASE("equal containers", "[algorithms][equal]")
{
    const auto a = random_numbers<int>(lengths(), 100);
    const auto x = vector_of(a);
    auto y = x;
    REQUIRE(sk::equal(x, y));
    REQUIRE(sk::equal(x, x));
    REQUIRE(sk::equal(twice(x), twice(y)));
    REQUIRE(sk::equal(sk::sort(x), sk::sort(y)));
    if (a.empty()) return;
    for (const std::size_t at : {std::size_t{0}, a.size() / 2, a.size() - 1}) {
        y = x;
        sk::host(y)[at] += 1;
        REQUIRE_FALSE(sk::equal(x, y));
        REQUIRE(sk::equal(x.range(0, at), y.range(0, at)));
    }
}

TEST_CASE("other shapes are not equal", "[algorithms][equal]")
{
    REQUIRE_FALSE(sk::equal(sk::vector<int>(3, 1), sk::vector<int>(4, 1)));
    REQUIRE(sk::equal(sk::vector<int>(), sk::vector<int>(0)));
    const sk::matrix<int> m(2, 6, 1), n(3, 4, 1);
    REQUIRE_FALSE(sk::equal(m, n));
    REQUIRE(sk::equal(m, sk::matrix<int>(2, 6, 1)));
    REQUIRE(sk::equal(m.row(0), m.row(1)));
    REQUIRE_FALSE(sk::equal(sk::matrix<int>(0, 3), sk::matrix<int>(0, 4)));
    REQUIRE_FALSE(sk::equal(m.row(0), m));
    const sk::tensor<int, 3> t({2, 3, 4}, 1), u({2, 4, 3}, 1);
    REQUIRE(sk::equal(t, t));
    REQUIRE_FALSE(sk::equal(t, u));
}

TEST_CASE("equality of numbers, and of what a function says", "[algorithms][equal]")
{
    const double none = std::numeric_limits<double>::quiet_NaN();
    const sk::vector<double> x{1.0, none};
    REQUIRE_FALSE(sk::equal(x, x));
    REQUIRE(sk::equal(sk::vector<int>{1, 2}, sk::vector<double>{1.0, 2.0}));
    REQUIRE(sk::equal(sk::vector<double>{1.0, 2.0}, sk::vector<double>{1.25, 1.75}, near));
    REQUIRE_FALSE(sk::equal(sk::vector<double>{1.0, 2.0}, sk::vector<double>{1.25, 2.75}, near));
    REQUIRE_FALSE(sk::equal(sk::vector<double>{1.0}, sk::vector<double>{1.0, 1.0}, near));
}

TEST_CASE("elements that count up", "[algorithms][iota]")
{
    const std::size_t n = lengths();
    sk::vector<int> x(n);
    sk::iota(x, 5);
    check_equal(x, expected(n, [](std::size_t i) { return 5 + static_cast<int>(i); }));
    if (n < 61) return;
    sk::iota(x.range(10, 20), -1);
    check_equal(x, expected(n, [](std::size_t i) {
                    return i >= 10 && i < 30 ? static_cast<int>(i) - 11 : 5 + static_cast<int>(i);
                }));
    sk::matrix<double> m(7, 9);
    sk::iota(m, 0.5);
    check_equal(m, expected(63, [](std::size_t i) { return 0.5 + static_cast<double>(i); }));
    sk::fill(m.row(1), 3.0);
    sk::copy(m.row(1), m.row(3));
    sk::iota(m.column(2), 1.0);
    check_equal(m, expected(63, [](std::size_t i) {
                    if (i % 9 == 2) return 1.0 + static_cast<double>(i / 9);
                    return i / 9 == 1 || i / 9 == 3 ? 3.0 : 0.5 + static_cast<double>(i);
                }));
    sk::tensor<int, 3> t(3, 4, 5);
    sk::iota(t, 1);
    check_equal(t, expected(60, [](std::size_t i) { return 1 + static_cast<int>(i); }));
}
