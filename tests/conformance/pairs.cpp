// SPDX-License-Identifier: BSD-3-Clause
#include "monoids.hpp"

using namespace test;

/// Pairs of the elements of two vectors, or of the rows of two matrices, and reductions of them.

SKELRT_SHARED(struct body {
    float x, y;
    int mass;
};)

static bool operator==(const body& a, const body& b) { return a.x == b.x && a.y == b.y && a.mass == b.mass; }

namespace
{

struct shape {
    std::size_t rows, cols;
};

auto shapes()
{
    return GENERATE(values<shape>({{0, 0},
                                   {0, 3},
                                   {3, 0},
                                   {1, 1},
                                   {1, 500},
                                   {500, 1},
                                   {2, 3},
                                   {63, 65},
                                   {127, 64},
                                   {5, 3001},
                                   {3001, 5},
                                   {401, 203}}));
}

template <class T>
void check_pairs()
{
    const auto differ = sk::map_pairs(SKELRT_FN((auto a, auto b) { return a * 3 - b; }));
    const shape s = shapes();
    const auto a = numbers<T>(s.rows, 1), b = numbers<T>(s.cols, 2);
    const auto x = vector_of(a), y = vector_of(b);
    const auto plain = [](T p, T q) { return p * 3 - q; };
    using R = decltype(plain(T{}, T{}));
    const sk::matrix<R> m = differ(x, y);
    REQUIRE(m.rows() == s.rows);
    REQUIRE(m.cols() == s.cols);
    check_equal(m, expected(s.rows * s.cols, [&](std::size_t i) { return plain(a[i / s.cols], b[i % s.cols]); }));
}

const auto between = sk::map_pairs(SKELRT_FN((int a, int b) { return 10 * a + b; }));
const auto sum = sk::reduce(sk::plus, 0);

} // namespace

TEST_CASE("all pairs of two vectors: int", "[pairs]") { check_pairs<int>(); }
TEST_CASE("all pairs of two vectors: float", "[pairs]") { check_pairs<float>(); }
TEST_CASE("all pairs of two vectors: double", "[pairs]") { check_pairs<double>(); }
TEST_CASE("all pairs of two vectors: long", "[pairs]") { check_pairs<long>(); }

TEST_CASE("pairs of structs give structs", "[pairs]")
{
    const auto meet = sk::map_pairs(SKELRT_FN((body a, body b) {
        body c;
        c.x = b.x - a.x;
        c.y = b.y - a.y;
        c.mass = a.mass * b.mass;
        return c;
    }));
    const std::size_t n = GENERATE(1, 7, 130), k = GENERATE(2, 65);
    std::vector<body> a, b;
    for (std::size_t i = 0; i < n; ++i) a.push_back({float(i), float(i % 5), int(i % 3)});
    for (std::size_t i = 0; i < k; ++i) b.push_back({float(i % 7), float(i), int(i % 4)});
    const sk::matrix<body> m = meet(vector_of(a), vector_of(b));
    check_equal(m, expected(n * k, [&](std::size_t i) {
                    const body p = a[i / k], q = b[i % k];
                    return body{q.x - p.x, q.y - p.y, p.mass * q.mass};
                }));
}

TEST_CASE("pairs know their position, and take further operands", "[pairs]")
{
    const auto call = sk::map_pairs(SKELRT_FN((sk::index2 i, int a, int b, int m, int u, sk::vec<int> w, int c) {
        return a + 2 * b + 3 * m + u * w[i.col % w.size()] + (int)i.row * c;
    }));
    const shape s = GENERATE(values<shape>({{1, 300}, {300, 1}, {65, 33}, {130, 71}}));
    const auto a = numbers<int>(s.rows, 1), b = numbers<int>(s.cols, 2), m = numbers<int>(s.rows * s.cols, 3),
               w = numbers<int>(9, 4), c = numbers<int>(s.cols, 5);
    auto mm = matrix_of(s.rows, s.cols, m);
    const auto want = expected(s.rows * s.cols, [&](std::size_t i) {
        const std::size_t r = i / s.cols, k = i % s.cols;
        return a[r] + 2 * b[k] + 3 * m[i] + 7 * w[k % 9] + static_cast<int>(r) * c[k];
    });
    const sk::matrix<int> got = call(vector_of(a), vector_of(b), mm, 7, vector_of(w), sk::per_column(vector_of(c)));
    check_equal(got, want);
    mm = call(vector_of(a), vector_of(b), mm, 7, vector_of(w), sk::per_column(vector_of(c)));
    check_equal(mm, want);
}

TEST_CASE("operands of pairs that are parts of containers", "[pairs][view]")
{
    const std::size_t rows = 61, cols = 83;
    const auto a = numbers<int>(100, 1), m = numbers<int>(90 * 110, 2);
    const auto x = vector_of(a);
    const auto y = matrix_of(90, 110, m);
    sk::matrix<int> to(70, 90, -1);
    to.sub(3, 5, rows, cols) = between(x.range(7, rows), y.row(4).range(9, cols));
    check_equal(to, expected(70 * 90, [&](std::size_t i) {
                    const std::size_t r = i / 90, c = i % 90;
                    const bool inside = r >= 3 && r < 3 + rows && c >= 5 && c < 5 + cols;
                    return inside ? 10 * a[7 + r - 3] + m[4 * 110 + 9 + c - 5] : -1;
                }));
    const sk::matrix<int> columns = between(y.column(3).range(2, rows), y.column(109).range(1, cols));
    check_equal(columns, expected(rows * cols, [&](std::size_t i) {
                    return 10 * m[(2 + i / cols) * 110 + 3] + m[(1 + i % cols) * 110 + 109];
                }));
}

TEST_CASE("rows with their own value, columns with theirs", "[pairs]")
{
    const auto affine_rows = sk::map(SKELRT_FN((int scale, int v, int shift) { return scale * v + shift; }));
    const shape s = GENERATE(values<shape>({{1, 1}, {77, 50}, {300, 111}}));
    const auto a = numbers<int>(s.rows, 1), b = numbers<int>(s.cols, 2), m = numbers<int>(s.rows * s.cols, 3);
    auto x = matrix_of(s.rows, s.cols, m);
    for (int k = 0; k < 3; ++k) x = affine_rows(sk::per_row(vector_of(a)), x, sk::per_column(vector_of(b)));
    auto want = m;
    for (int k = 0; k < 3; ++k)
        for (std::size_t i = 0; i < want.size(); ++i) want[i] = a[i / s.cols] * want[i] + b[i % s.cols];
    check_equal(x, want);
    // Columns alone: the destination has the rows.
    x = sk::map(sk::negate)(sk::per_column(vector_of(b)));
    check_equal(x, expected(want.size(), [&](std::size_t i) { return -b[i % s.cols]; }));
}

TEST_CASE("map calls as operands of pairs, pairs as operands of maps", "[pairs][fusion]")
{
    const auto twice = sk::map(SKELRT_FN((int a) { return 2 * a; }));
    const auto numbered = sk::map(SKELRT_FN((sk::index1 i, int a) { return a + (int)i.i; }));
    const std::size_t n = 120, k = 75;
    const auto a = numbers<int>(n, 1), b = numbers<int>(k, 2);
    const sk::matrix<int> m = twice(between(numbered(vector_of(a)), twice(vector_of(b))));
    const auto want =
        expected(n * k, [&](std::size_t i) { return 2 * (10 * (a[i / k] + static_cast<int>(i / k)) + 2 * b[i % k]); });
    check_equal(m, want);
    int total = 7;
    for (int v : want) total += v;
    const int got = sk::reduce(sk::plus, 7)(twice(between(numbered(vector_of(a)), twice(vector_of(b)))));
    REQUIRE(got == total);
}

TEST_CASE("pairs reduced by row, by column, and to one value", "[pairs][reduce]")
{
    const shape s = shapes();
    const auto a = numbers<int>(s.rows, 1), b = numbers<int>(s.cols, 2);
    const auto x = vector_of(a), y = vector_of(b);
    const auto reduced = sk::map_pairs_reduce(SKELRT_FN((int a, int b) { return 10 * a + b; }), sk::plus, 5);
    const sk::vector<int> rows = reduced(x, y), cols = reduced.by_column(x, y);
    const auto line = [&](bool row, std::size_t i) {
        int v = 5;
        for (std::size_t k = 0; k < (row ? s.cols : s.rows); ++k) v += row ? 10 * a[i] + b[k] : 10 * a[k] + b[i];
        return v;
    };
    check_equal(rows, expected(s.rows, [&](std::size_t i) { return line(true, i); }));
    check_equal(cols, expected(s.cols, [&](std::size_t i) { return line(false, i); }));
    int total = 0;
    for (int p : a)
        for (int q : b) total += 10 * p + q;
    const int got = sum(between(x, y));
    REQUIRE(got == total);
}

TEST_CASE("reductions of pairs keep the order", "[pairs][reduce][order]")
{
    const std::size_t n = GENERATE(1, 50, 333), k = GENERATE(1, 64, 501);
    const auto f = affine_maps(n), g = affine_maps(k);
    const auto x = vector_of(f), y = vector_of(g);
    const auto pair = sk::map_pairs(compose);
    const auto product = sk::reduce(compose);
    const sk::vector<affine> rows = product.by_row(pair(x, y)), cols = product.by_column(pair(x, y));
    const auto row = [&](std::size_t i) {
        return folded(compose, expected(k, [&](std::size_t j) { return compose(f[i], g[j]); }));
    };
    check_equal(rows, expected(n, row));
    check_equal(cols, expected(k, [&](std::size_t j) {
                    return folded(compose, expected(n, [&](std::size_t i) { return compose(f[i], g[j]); }));
                }));
    const affine all = product(pair(x, y));
    REQUIRE(all == folded(compose, expected(n, row)));
}

TEST_CASE("all pairs of the rows of two matrices", "[pairs][all_pairs]")
{
    const auto farthest = sk::all_pairs(SKELRT_FN((sk::vec<int> p, sk::vec<int> q, int start) {
        int most = start;
        for (int k = 0; k < (int)p.size(); ++k) most = most < p[k] - q[k] ? p[k] - q[k] : most;
        return most;
    }));
    const shape s = GENERATE(values<shape>({{0, 3}, {3, 0}, {1, 1}, {2, 300}, {300, 2}, {95, 61}}));
    const std::size_t k = GENERATE(1, 2, 33);
    const auto a = numbers<int>((s.rows + 2) * (k + 3), 1), b = numbers<int>(s.cols * k, 2);
    const auto x = matrix_of(s.rows + 2, k + 3, a), y = matrix_of(s.cols, k, b);
    const sk::matrix<int> m = farthest(x.sub(2, 1, s.rows, k), y, -100);
    check_equal(m, expected(s.rows * s.cols, [&](std::size_t i) {
                    int most = -100;
                    for (std::size_t c = 0; c < k; ++c)
                        most = std::max(most, a[(i / s.cols + 2) * (k + 3) + c + 1] - b[i % s.cols * k + c]);
                    return most;
                }));
}

TEST_CASE("what pairs read was written just before, and the other way round", "[pairs][asynchronous]")
{
    const std::size_t n = 150;
    const auto a = numbers<int>(n);
    auto x = vector_of(a);
    auto plain = a;
    const auto remainder = sk::map(SKELRT_FN((int v) { return v % 1000; }));
    for (int k = 0; k < 5; ++k) {
        x = sum.by_row(between(x, x));
        x = remainder(x);
        std::vector<int> next;
        for (int p : plain) {
            int v = 0;
            for (int q : plain) v += 10 * p + q;
            next.push_back(v % 1000);
        }
        plain = next;
    }
    check_equal(x, plain);
}

TEST_CASE("pairs of rows of no elements", "[pairs][all_pairs][view]")
{
    const auto together = sk::all_pairs(SKELRT_FN(
        (sk::index2 i, sk::vec<int> a, sk::vec<int> b) { return (int)(i.row * 100 + i.col + a.size() + b.size()); }));
    const auto sum = sk::reduce(sk::plus, 0);
    const std::size_t rows = GENERATE(1, 9, 100), cols = 6;
    const auto m = matrix_of(rows, cols, numbers<int>(rows * cols));
    const auto want = expected(rows * 3, [&](std::size_t p) { return static_cast<int>(p / 3 * 100 + p % 3); });
    const auto check = [&](const auto& x, const auto& y) {
        check_equal(sk::matrix<int>(together(x, y)), want);
        REQUIRE(sum(together(x, y)).get() == std::accumulate(want.begin(), want.end(), 0));
    };
    check(m.sub(0, cols, rows, 0), sk::matrix<int>(3, 0)); // the last of them begin behind the last element
    check(m.sub(0, 2, rows, 0), sk::matrix<int>(3, 0));
    check(sk::matrix<int>(rows, 0), sk::matrix<int>(3, 0));
}
