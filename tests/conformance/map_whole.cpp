// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

using namespace test;

/// Parameters sk::vec and sk::mat see a whole container, however many tiles it has.

namespace
{

const auto twice = sk::map(SKELRT_FN((int a) { return 2 * a; }));
const auto gather = sk::map(SKELRT_FN((int at, sk::vec<int> x) { return x[at]; }));
const auto reversed = sk::map(SKELRT_FN((sk::index1 i, sk::vec<int> x) { return x[x.size() - 1 - i.i]; }));
const auto neighbours = sk::map(SKELRT_FN((sk::index1 i, int mine, sk::vec<int> x) {
    int left = i.i > 0 ? x[i.i - 1] : 0;
    int right = i.i + 1 < x.size() ? x[i.i + 1] : 0;
    return left + 10 * mine + 100 * right;
}));
const auto transposed = sk::map(SKELRT_FN((sk::index2 i, sk::mat<int> m) { return m(i.col, i.row); }));
const auto times = sk::map(SKELRT_FN((sk::index1 i, sk::mat<int> a, sk::vec<int> x) {
    int sum = 0;
    for (int k = 0; k < (int)a.cols(); ++k) sum += a(i.i, k) * x[k];
    return sum;
}));

std::vector<int> places(std::size_t n, std::size_t below)
{
    return expected(n, [&](std::size_t i) { return static_cast<int>((i * 7919 + 13) % below); });
}

int wanted_neighbours(const std::vector<int>& a, std::size_t i)
{
    return (i > 0 ? a[i - 1] : 0) + 10 * a[i] + (i + 1 < a.size() ? 100 * a[i + 1] : 0);
}

} // namespace

TEST_CASE("a gather from a whole vector", "[map][whole]")
{
    const std::size_t n = GENERATE(1, 2, 63, 1000, 50021), m = GENERATE(1, 5, 4099);
    const auto at = places(n, m);
    const auto a = numbers<int>(m);
    const sk::vector<int> y = gather(vector_of(at), vector_of(a));
    check_equal(y, expected(n, [&](std::size_t i) { return a[static_cast<std::size_t>(at[i])]; }));
}

TEST_CASE("whole reads see what calls before them wrote", "[map][whole]")
{
    const std::size_t n = 5000;
    const auto a = numbers<int>(n);
    auto x = vector_of(a);
    sk::vector<int> y;
    for (int k = 0; k < 3; ++k) {
        x = twice(x); // by tiles
        y = reversed(sk::shape(n), x);
    }
    check_equal(y, expected(n, [&](std::size_t i) { return 8 * a[n - 1 - i]; }));
    {
        auto h = sk::host(x);
        h[0] = -1; // by the host
    }
    y = reversed(sk::shape(n), x);
    REQUIRE(values(y).back() == -1);
}

TEST_CASE("a whole read of the container that is overwritten", "[map][whole]")
{
    const auto n = sizes();
    auto a = numbers<int>(n);
    auto x = vector_of(a);
    x = neighbours(x, x);
    const auto once = expected(n, [&](std::size_t i) { return wanted_neighbours(a, i); });
    check_equal(x, once);
    x = neighbours(x, x);
    check_equal(x, expected(n, [&](std::size_t i) { return wanted_neighbours(once, i); }));
}

TEST_CASE("a whole read of a vector that part of is overwritten", "[map][whole][view]")
{
    const std::size_t n = 3000;
    const auto a = numbers<int>(n);
    auto x = vector_of(a);
    x.range(500, 2000) = reversed(sk::shape(2000), x);
    check_equal(x, expected(n, [&](std::size_t i) { return i >= 500 && i < 2500 ? a[n - 1 - (i - 500)] : a[i]; }));
}

TEST_CASE("a whole matrix: the transposed one", "[map][whole]")
{
    const auto [rows, cols] =
        GENERATE(table<std::size_t, std::size_t>({{1, 1}, {1, 100}, {100, 1}, {33, 70}, {128, 128}}));
    const auto a = numbers<int>(rows * cols);
    const auto m = matrix_of(rows, cols, a);
    const sk::matrix<int> t = transposed(sk::shape(cols, rows), m);
    check_equal(t, expected(rows * cols,
                            [&, rows = rows, cols = cols](std::size_t i) { return a[i % rows * cols + i / rows]; }));
}

TEST_CASE("a square matrix transposed into itself", "[map][whole]")
{
    const std::size_t n = 65;
    const auto a = numbers<int>(n * n);
    auto m = matrix_of(n, n, a);
    m = transposed(m);
    check_equal(m, expected(n * n, [&](std::size_t i) { return a[i % n * n + i / n]; }));
}

TEST_CASE("matrix times vector", "[map][whole]")
{
    const std::size_t rows = 130, cols = 71;
    const auto a = numbers<int>(rows * cols, 1), b = numbers<int>(cols, 2);
    const auto m = matrix_of(rows, cols, a);
    const auto x = vector_of(b);
    const sk::vector<int> y = times(sk::shape(rows), m, x);
    check_equal(y, expected(rows, [&](std::size_t r) {
                    int sum = 0;
                    for (std::size_t k = 0; k < cols; ++k) sum += a[r * cols + k] * b[k];
                    return sum;
                }));
}

TEST_CASE("parts of containers as whole parameters", "[map][whole][view]")
{
    const std::size_t rows = 40, cols = 50;
    const auto a = numbers<int>(rows * cols);
    const auto m = matrix_of(rows, cols, a);
    const auto v = vector_of(a);
    sk::vector<int> y = reversed(sk::shape(300), v.range(77, 300));
    check_equal(y, expected(300, [&](std::size_t i) { return a[77 + 299 - i]; }));
    y = reversed(sk::shape(cols), m.row(17));
    check_equal(y, expected(cols, [&](std::size_t i) { return a[17 * cols + cols - 1 - i]; }));
    y = reversed(sk::shape(rows), m.column(3)); // elements with others between them: sk::vec sees a copy
    check_equal(y, expected(rows, [&](std::size_t i) { return a[(rows - 1 - i) * cols + 3]; }));
    const sk::matrix<int> t = transposed(sk::shape(11, 20), m.sub(5, 7, 20, 11));
    check_equal(t, expected(11 * 20, [&](std::size_t i) { return a[(5 + i % 20) * cols + 7 + i / 20]; }));
}

TEST_CASE("one container as element and as whole in one call", "[map][whole]")
{
    const std::size_t n = 2048;
    const auto a = numbers<int>(n);
    const auto x = vector_of(a);
    const sk::vector<int> y = neighbours(x, x);
    check_equal(y, expected(n, [&](std::size_t i) { return wanted_neighbours(a, i); }));
    check_equal(x, a);
}

TEST_CASE("several whole parameters", "[map][whole]")
{
    const auto three = sk::map(SKELRT_FN((sk::index1 i, sk::vec<int> a, sk::vec<float> b, sk::vec<int> c) {
        return a[i.i % a.size()] + (int)b[i.i % b.size()] * 10 + c[i.i % c.size()] * 100;
    }));
    const std::size_t n = 3000;
    const auto a = numbers<int>(700, 1), c = numbers<int>(31, 2);
    const auto b = numbers<float>(1, 3);
    const auto x = vector_of(a);
    const sk::vector<int> y = three(sk::shape(n), x, vector_of(b), vector_of(c));
    check_equal(y,
                expected(n, [&](std::size_t i) { return a[i % 700] + static_cast<int>(b[0]) * 10 + c[i % 31] * 100; }));
}

TEST_CASE("a whole operand of no elements", "[map][whole]")
{
    const auto how_many = sk::map(SKELRT_FN((int a, sk::vec<int> x) { return a + (int)x.size(); }));
    const auto how_large = sk::map(SKELRT_FN((int a, sk::mat<int> m) { return a + (int)(m.rows() + m.cols()); }));
    const auto n = sizes();
    const auto a = numbers<int>(n);
    const auto x = vector_of(a);
    const sk::vector<int> none(0);
    check_equal(sk::vector<int>(how_many(x, none)), a);
    check_equal(sk::vector<int>(how_many(x, x.range(n, 0))), a);
    check_equal(sk::vector<int>(how_large(x, sk::matrix<int>(7, 0))),
                expected(n, [&](std::size_t i) { return a[i] + 7; }));
}
