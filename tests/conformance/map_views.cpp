// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

using namespace test;

/// Sub-ranges, rows, columns and sub-matrices, as operands and as destinations; tiles of the operands need not match.

namespace
{

const auto twice = sk::map(SKELRT_FN((int a) { return 2 * a; }));
const auto same = sk::map(SKELRT_FN((int a) { return a; }));
const auto add = sk::map(SKELRT_FN((int a, int b) { return a + 10 * b; }));
const auto difference = sk::map(SKELRT_FN((int a, int b) { return a - b; }));

} // namespace

TEST_CASE("a sub-range as operand and as destination", "[map][view]")
{
    const std::size_t n = 1000;
    const auto [first, count] = GENERATE(table<std::size_t, std::size_t>(
        {{0, 0}, {1000, 0}, {0, 1}, {999, 1}, {0, 1000}, {1, 999}, {142, 144}, {500, 500}}));
    const auto a = numbers<int>(n);
    const auto x = vector_of(a);
    const sk::vector<int> y = twice(x.range(first, count));
    check_equal(y, expected(count, [&, first = first](std::size_t i) { return 2 * a[first + i]; }));
    sk::vector<int> z(n, -1);
    z.range(first, count) = twice(y);
    check_equal(z, expected(n, [&, first = first, count = count](std::size_t i) {
                    return i >= first && i - first < count ? 4 * a[i] : -1;
                }));
}

TEST_CASE("elements at equal distances as operand and as destination", "[map][view]")
{
    const auto n = GENERATE(as<std::size_t>(), 1, 10, 1000, 40'009);
    const auto a = numbers<int>(n);
    const auto x = vector_of(a);
    for (const std::size_t step : {1, 2, 3, 7, 5000})
        for (const std::size_t first : {std::size_t{0}, n / 3, n - 1}) {
            const std::size_t count = (n - 1 - first) / step + 1;
            CAPTURE(n, step, first);
            const auto part = x.range(first, count, step);
            const sk::vector<int> y = twice(part);
            check_equal(y, expected(count, [&](std::size_t i) { return 2 * a[first + i * step]; }));
            sk::vector<int> z(n, -1);
            z.range(first, count, step) = add(part, y);
            check_equal(
                z, expected(n, [&](std::size_t i) { return i >= first && (i - first) % step == 0 ? 21 * a[i] : -1; }));
            const auto doubled = values(y);
            const int sum = sk::reduce(sk::plus, 0)(part);
            REQUIRE(2 * sum == std::accumulate(doubled.begin(), doubled.end(), 0));
            if (count > 2) { // of a part of it, too
                const sk::vector<int> fewer = twice(part.range(1, (count - 1) / 2, 2));
                check_equal(
                    fewer, expected((count - 1) / 2, [&](std::size_t i) { return 2 * a[first + (1 + 2 * i) * step]; }));
            }
            REQUIRE_THROWS_AS(static_cast<void>(x.range(first, count + 1, step)), sk::error);
        }
    REQUIRE_THROWS_AS(static_cast<void>(x.range(0, 1, 0)), sk::error);
    REQUIRE_THROWS_AS(static_cast<void>(x.range(n + 1, 0, 2)), sk::error);
}

TEST_CASE("stencils see neighbours at the same distances", "[stencil][view]")
{
    const std::size_t n = 3001, step = 3, first = 4, count = 900;
    const auto a = numbers<int>(n);
    const auto x = vector_of(a);
    const auto sides = sk::stencil(SKELRT_FN((sk::hood1<int> h) { return h(-1) + 10 * h(1); }), sk::border::nearest());
    const sk::vector<int> alone = sides(x.range(first, count, step));
    const sk::vector<int> y = sides(sk::with_neighbours(x.range(first, count, step)));
    check_equal(y, expected(count, [&](std::size_t i) {
                    const std::size_t at = first + i * step;
                    return a[at - step] + 10 * a[at + step];
                }));
    check_equal(alone, expected(count, [&](std::size_t i) {
                    const std::size_t at = first + i * step;
                    return a[i == 0 ? at : at - step] + 10 * a[i + 1 == count ? at : at + step];
                }));
}

TEST_CASE("diagonals as operand and as destination", "[map][view]")
{
    const auto [rows, cols] =
        GENERATE(table<std::size_t, std::size_t>({{1, 1}, {3, 5}, {301, 40}, {70, 200}, {200, 200}}));
    const auto a = numbers<int>(rows * cols);
    sk::matrix<int> m(rows, cols, a.begin());
    const auto r = static_cast<std::ptrdiff_t>(rows), c = static_cast<std::ptrdiff_t>(cols);
    for (const std::ptrdiff_t which : {std::ptrdiff_t{0}, c - 1, c / 2, 1 - r, -r / 2}) {
        CAPTURE(rows, cols, which);
        const auto lies_on_it = [&](std::size_t i) {
            return static_cast<std::ptrdiff_t>(i % cols) - static_cast<std::ptrdiff_t>(i / cols) == which;
        };
        std::vector<int> want;
        for (std::size_t i = 0; i < a.size(); ++i)
            if (lies_on_it(i)) want.push_back(2 * a[i]);
        const sk::vector<int> y = twice(m.diagonal(which));
        check_equal(y, want);
        sk::matrix<int> z(rows, cols, -1);
        z.diagonal(which) = same(y);
        check_equal(z, expected(a.size(), [&](std::size_t i) { return lies_on_it(i) ? 2 * a[i] : -1; }));
    }
    for (const std::ptrdiff_t which : {c, -r}) REQUIRE_THROWS_AS(static_cast<void>(m.diagonal(which)), sk::error);
}

TEST_CASE("operands that are shifted against each other", "[map][view]")
{
    const auto n = GENERATE(as<std::size_t>(), 2, 3, 64, 1000, 4099);
    const auto a = numbers<int>(n);
    const auto x = vector_of(a);
    const sk::vector<int> d = difference(x.range(1, n - 1), x.range(0, n - 1));
    check_equal(d, expected(n - 1, [&](std::size_t i) { return a[i + 1] - a[i]; }));
    sk::vector<int> y(n, 5);
    y.range(1, n - 1) = add(x.range(0, n - 1), x.range(1, n - 1));
    check_equal(y, expected(n, [&](std::size_t i) { return i == 0 ? 5 : a[i - 1] + 10 * a[i]; }));
}

TEST_CASE("containers of different sizes have tiles at different places", "[map][view]")
{
    const std::size_t n = 1234;
    const auto a = numbers<int>(5000, 1), b = numbers<int>(1777, 2);
    const auto x = vector_of(a), y = vector_of(b);
    sk::vector<int> z(9001, 0);
    z.range(7001, n) = add(x.range(333, n), y.range(500, n));
    check_equal(z, expected(9001, [&](std::size_t i) {
                    return i >= 7001 && i < 7001 + n ? a[i - 7001 + 333] + 10 * b[i - 7001 + 500] : 0;
                }));
}

TEST_CASE("a shift within one vector reads all before it writes", "[map][view]")
{
    const auto n = GENERATE(as<std::size_t>(), 2, 65, 1000, 4099);
    const auto a = numbers<int>(n);
    auto x = vector_of(a);
    x.range(1, n - 1) = same(x.range(0, n - 1)); // to the right
    check_equal(x, expected(n, [&](std::size_t i) { return i == 0 ? a[0] : a[i - 1]; }));
    auto y = vector_of(a);
    y.range(0, n - 1) = same(y.range(1, n - 1)); // to the left
    check_equal(y, expected(n, [&](std::size_t i) { return i + 1 == n ? a[n - 1] : a[i + 1]; }));
}

TEST_CASE("exactly the same range in place", "[map][view]")
{
    const std::size_t n = 1000;
    const auto a = numbers<int>(n);
    auto x = vector_of(a);
    x.range(100, 777) = twice(x.range(100, 777));
    check_equal(x, expected(n, [&](std::size_t i) { return i >= 100 && i < 877 ? 2 * a[i] : a[i]; }));
}

TEST_CASE("views are copied like references and assigned like elements", "[map][view]")
{
    const auto a = numbers<int>(100);
    auto x = vector_of(a);
    sk::vector<int> y(50, 0);
    const auto to = y.range(0, 50);
    y.range(0, 50) = x.range(25, 50);
    check_equal(y, expected(50, [&](std::size_t i) { return a[i + 25]; }));
    auto part = y.range(10, 20).range(5, 10); // 15 .. 25
    part = twice(part);
    check_equal(y, expected(50, [&](std::size_t i) { return i >= 15 && i < 25 ? 2 * a[i + 25] : a[i + 25]; }));
    REQUIRE(to.size() == 50);
}

TEST_CASE("rows and columns of a matrix", "[map][view]")
{
    const std::size_t rows = 30, cols = 70;
    const auto a = numbers<int>(rows * cols);
    auto m = matrix_of(rows, cols, a);
    const sk::vector<int> r = twice(m.row(29)), c = twice(m.column(69));
    check_equal(r, expected(cols, [&](std::size_t i) { return 2 * a[29 * cols + i]; }));
    check_equal(c, expected(rows, [&](std::size_t i) { return 2 * a[i * cols + 69]; }));
    m.row(0) = add(m.row(1), m.row(0));
    m.column(1) = add(m.column(2), m.column(1));
    const auto got = values(m);
    const auto after_row = [&](std::size_t k) { return k < cols ? a[cols + k] + 10 * a[k] : a[k]; };
    for (std::size_t k = 0; k < rows * cols; ++k) {
        const int want = k % cols == 1 ? after_row(k + 1) + 10 * after_row(k) : after_row(k);
        if (got[k] != want) {
            CAPTURE(k / cols, k % cols);
            REQUIRE(got[k] == want);
        }
    }
}

TEST_CASE("a row into a column", "[map][view]")
{
    const std::size_t n = 90;
    const auto a = numbers<int>(n * n);
    auto m = matrix_of(n, n, a);
    m.column(7) = twice(m.row(4));
    check_equal(m, expected(n * n, [&](std::size_t i) { return i % n == 7 ? 2 * a[4 * n + i / n] : a[i]; }));
}

TEST_CASE("sub-matrices as operands and destinations", "[map][view]")
{
    const std::size_t cols = 80;
    const auto a = numbers<int>(60 * cols, 1), b = numbers<int>(40 * 40, 2);
    auto m = matrix_of(60, cols, a);
    const auto k = matrix_of(40, 40, b);
    const sk::matrix<int> s = add(m.sub(13, 21, 17, 19), k.sub(1, 2, 17, 19));
    REQUIRE(s.rows() == 17);
    REQUIRE(s.cols() == 19);
    check_equal(s, expected(17 * 19, [&](std::size_t i) {
                    const std::size_t r = i / 19, c = i % 19;
                    return a[(13 + r) * cols + 21 + c] + 10 * b[(1 + r) * 40 + 2 + c];
                }));
    m.sub(2, 3, 17, 19) = twice(s);
    const auto sv = values(s);
    check_equal(m, expected(60 * cols, [&](std::size_t i) {
                    const std::size_t r = i / cols, c = i % cols;
                    return r >= 2 && r < 19 && c >= 3 && c < 22 ? 2 * sv[(r - 2) * 19 + c - 3] : a[i];
                }));
}

TEST_CASE("overlapping sub-matrices read all before they write", "[map][view]")
{
    const std::size_t n = 64;
    const auto a = numbers<int>(n * n);
    auto m = matrix_of(n, n, a);
    m.sub(1, 1, n - 1, n - 1) = same(m.sub(0, 0, n - 1, n - 1));
    check_equal(m, expected(n * n, [&](std::size_t i) { return i < n || i % n == 0 ? a[i] : a[i - n - 1]; }));
}

TEST_CASE("rows, columns and rectangles of one matrix, into one another", "[map][view]")
{
    const std::size_t rows = 29, cols = 41;
    std::vector<int> want = numbers<int>(rows * cols);
    auto m = matrix_of(rows, cols, want);
    const auto at = [&](std::size_t i, std::size_t j) -> int& { return want[i * cols + j]; };
    m.row(0) = twice(m.row(2));
    for (std::size_t j = 0; j < cols; ++j) at(0, j) = 2 * at(2, j);
    m.row(28) = add(m.row(0), m.row(28));
    for (std::size_t j = 0; j < cols; ++j) at(28, j) = at(0, j) + 10 * at(28, j);
    m.column(3) = twice(m.column(40));
    for (std::size_t i = 0; i < rows; ++i) at(i, 3) = 2 * at(i, 40);
    m.column(40) = add(m.column(3), m.column(0));
    for (std::size_t i = 0; i < rows; ++i) at(i, 40) = at(i, 3) + 10 * at(i, 0);
    m.row(5).range(0, 7) = twice(m.column(20).range(6, 7));
    for (std::size_t j = 0; j < 7; ++j) at(5, j) = 2 * at(6 + j, 20);
    m.sub(3, 2, 10, 9) = add(m.sub(14, 2, 10, 9), m.sub(3, 20, 10, 9)); // below it, and beside it
    for (std::size_t i = 3; i < 13; ++i)
        for (std::size_t j = 2; j < 11; ++j) at(i, j) = at(i + 11, j) + 10 * at(i, j + 18);
    const std::vector<int> before = want;
    m.sub(3, 2, 10, 9) = twice(m.sub(12, 10, 10, 9)); // they share a corner
    for (std::size_t i = 3; i < 13; ++i)
        for (std::size_t j = 2; j < 11; ++j) at(i, j) = 2 * before[(i + 9) * cols + j + 8];
    check_equal(m, want);
}

TEST_CASE("a rectangle from lines of the same matrix", "[map][view][pairs]")
{
    const std::size_t rows = 61, cols = 43;
    const auto a = numbers<int>(rows * cols);
    const auto update = sk::map(SKELRT_FN((int m, int left, int above) { return (m - left * above) % 1009; }));
    const auto k = GENERATE(as<std::size_t>(), 0, 1, 20, 41);
    sk::matrix<int> m = matrix_of(rows, cols, a);
    std::vector<int> want = a;
    const auto eliminate = [&](std::size_t at, std::size_t first) {
        const std::vector<int> before = want;
        for (std::size_t i = first; i < rows; ++i)
            for (std::size_t j = first; j < cols; ++j)
                want[i * cols + j] = (before[i * cols + j] - before[i * cols + at] * before[at * cols + j]) % 1009;
    };
    SECTION("beside and above it: in place")
    {
        for (std::size_t s = k; s <= std::min(k + 3, cols - 2); ++s) {
            const std::size_t below = rows - s - 1, behind = cols - s - 1;
            auto rest = m.sub(s + 1, s + 1, below, behind);
            rest = update(rest, sk::per_row(m.column(s).range(s + 1, below)),
                          sk::per_column(m.row(s).range(s + 1, behind)));
            eliminate(s, s + 1);
        }
    }
    SECTION("within it: all of them are read before it is written")
    {
        m.sub(0, 0, rows, cols) = update(m, sk::per_row(m.column(k)), sk::per_column(m.row(k)));
        eliminate(k, 0);
    }
    check_equal(m, want);
}

TEST_CASE("parts of one vector, into one another", "[map][view]")
{
    const std::size_t n = 2000;
    const auto [to, from, count] = GENERATE(table<std::size_t, std::size_t, std::size_t>(
        {{0, 1000, 1000}, {1000, 0, 1000}, {0, 999, 1000}, {17, 1500, 333}, {1700, 20, 280}, {400, 401, 1}}));
    const auto a = numbers<int>(n);
    auto x = vector_of(a);
    x.range(to, count) = twice(x.range(from, count));
    check_equal(x, expected(n, [&, to = to, from = from, count = count](std::size_t i) {
                    return i >= to && i - to < count ? 2 * a[i - to + from] : a[i];
                }));
}

TEST_CASE("views keep the data of a container that is gone", "[map][view]")
{
    const auto a = numbers<int>(500);
    auto x = std::make_unique<sk::vector<int>>(a.begin(), a.end());
    const auto part = x->range(100, 200);
    x.reset();
    const sk::vector<int> y = twice(part);
    check_equal(y, expected(200, [&](std::size_t i) { return 2 * a[100 + i]; }));
}
