// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <algorithm>

using namespace test;

/// Skeletons as operands of each other, and results that go to parts of containers: pairs of features, not the
/// features.

SKELRT_SHARED(
    struct whole_and_half {
        int whole;
        float half;
    };
    struct three_kinds {
        int a;
        long b;
        double c;
    };)

namespace
{

constexpr std::size_t rows = 20, cols = 30;

const auto numbered = sk::generate(SKELRT_FN((sk::index2 i) { return (int)(i.row * 100 + i.col); }));
const auto plus_one = sk::map(SKELRT_FN((int a) { return a + 1; }));
const auto sum = sk::reduce(sk::plus, 0);
const auto slope = sk::stencil(SKELRT_FN((sk::hood2<int> u) { return u(0, 1) - u(0, 0); }), sk::border::nearest());

sk::matrix<int> grid() { return sk::matrix<int>(numbered(sk::shape(rows, cols))); }

} // namespace

TEST_CASE("random numbers and positions in a stencil, generated elements under a hood", "[combinations]")
{
    const auto noisy = sk::stencil(SKELRT_FN((sk::index2 i, sk::hood2<int> u, sk::random r) {
                                       return u(0, 1) + (int)(r.bits() % 7) + (int)i.col;
                                   }),
                                   sk::border::cyclic());
    const sk::random_seed seed{5};
    const sk::matrix<int> r = noisy(grid(), seed);
    check_equal(r, expected(rows * cols, [&](std::size_t i) {
                    const std::size_t row = i / cols, col = i % cols;
                    return static_cast<int>(row * 100 + (col + 1) % cols + sk::random(seed.key(), i).bits() % 7 + col);
                }));
    const sk::matrix<int> s = slope(numbered(sk::shape(rows, cols)));
    check_equal(s, expected(rows * cols, [](std::size_t i) { return i % cols + 1 < cols ? 1 : 0; }));
}

TEST_CASE("transposed matrices under reductions and scans", "[combinations]")
{
    const auto g = grid();
    const sk::vector<int> by_row = sum.by_row(sk::transpose(g)), by_column = sum.by_column(sk::transpose(g));
    check_equal(by_row, expected(cols, [](std::size_t c) { return static_cast<int>(rows * c + 100 * 190); }));
    check_equal(by_column, expected(rows, [](std::size_t r) { return static_cast<int>(cols * r * 100 + 435); }));
    REQUIRE(sum(sk::transpose(g)).get() == sum(g).get());
    const sk::matrix<int> running = sk::scan(sk::plus).by_row(sk::transpose(plus_one(g)));
    check_equal(running, expected(rows * cols, [](std::size_t i) {
                    const std::size_t c = i / rows, n = i % rows + 1;
                    return static_cast<int>(n * (c + 1) + 100 * (n * (n - 1) / 2));
                }));
}

TEST_CASE("results of every skeleton in parts of a matrix", "[combinations][view]")
{
    const auto g = grid();
    const sk::matrix<int> ones(rows, cols, 1);
    const sk::vector<int> x(100, 7), index{5, 4, 3, 2, 1, 0};
    sk::matrix<int> big(40, 50, -1);
    const auto at = [&](std::size_t r, std::size_t c) { return sk::host_read(big)(r, c); };
    big.sub(5, 5, rows, cols) = slope(g);
    REQUIRE((at(5, 5) == 1 && at(5, 34) == 0 && at(4, 5) == -1 && at(25, 5) == -1));
    big.sub(5, 5, cols, rows) = sk::transpose(g);
    REQUIRE((at(6, 5) == 1 && at(5, 6) == 100));
    big.sub(5, 5, rows, rows) = sk::all_pairs(sk::multiplies, sk::plus, 0)(ones, ones);
    REQUIRE((at(5, 5) == 30 && at(24, 24) == 30));
    big.row(1).range(0, cols) = sum.by_column(ones);
    big.column(0).range(0, rows) = sum.by_row(ones);
    REQUIRE((at(1, 0) == 30 && at(1, 1) == 20 && at(0, 0) == 30));
    big.sub(0, 0, rows, cols) = sk::scan(sk::plus).by_row(ones);
    REQUIRE((at(3, 29) == 30 && at(3, 30) == -1));
    big.row(2).range(0, 6) = sk::gather(x, index);
    REQUIRE((at(2, 5) == 7 && at(2, 6) == 7));
    big.sub(0, 0, rows, cols) = slope.iterate(2, g);
    REQUIRE((at(0, 0) == 0 && at(0, 28) == -1));
    sk::vector<int> h(20, 0);
    sk::scatter_add(x.range(0, 6), index, h.range(10, 10));
    check_equal(h, expected(20, [](std::size_t i) { return i >= 10 && i < 16 ? 7 : 0; }));
}

TEST_CASE("several results of nested calls, in matrices and tensors", "[combinations][tie]")
{
    sk::matrix<int> whole;
    sk::matrix<float> half;
    sk::tie(whole, half) = sk::map(SKELRT_FN((sk::index2 i, int a, int w) {
        whole_and_half r;
        r.whole = a + (int)i.row, r.half = 0.5f * a * w;
        return r;
    }))(plus_one(grid()), 3);
    const auto g = expected(rows * cols, [](std::size_t i) { return static_cast<int>(i / cols * 100 + i % cols + 1); });
    check_equal(whole, expected(g.size(), [&](std::size_t i) { return g[i] + static_cast<int>(i / cols); }));
    check_equal(half, expected(g.size(), [&](std::size_t i) { return 1.5f * static_cast<float>(g[i]); }));
    sk::tensor<int, 3> a;
    sk::tensor<long, 3> b;
    sk::tensor<double, 3> c;
    sk::tie(a, b, c) = sk::map(SKELRT_FN((sk::index3 i) {
        three_kinds r;
        r.a = (int)i.plane, r.b = (long)i.row, r.c = i.col;
        return r;
    }))(sk::shape(5, 6, 7));
    check_equal(a, expected(210, [](std::size_t i) { return static_cast<int>(i / 42); }));
    check_equal(b, expected(210, [](std::size_t i) { return static_cast<long>(i / 7 % 6); }));
    check_equal(c, expected(210, [](std::size_t i) { return static_cast<double>(i % 7); }));
}

TEST_CASE("the best of structs by reduction and by scan", "[combinations]")
{
    const std::size_t n = GENERATE(1, 100, 20'000);
    const auto better = SKELRT_FN((whole_and_half p, whole_and_half q) { return q.whole < p.whole ? p : q; });
    const auto make = sk::map(SKELRT_FN((sk::index1 i, int a) {
        whole_and_half r;
        r.whole = (int)(i.i * 37 % 101) + a, r.half = (float)i.i;
        return r;
    }));
    const sk::vector<int> x(n, 1);
    int best = 0;
    const auto want =
        expected(n, [&](std::size_t i) { return best = std::max(best, static_cast<int>(i * 37 % 101) + 1); });
    REQUIRE(sk::reduce(better)(make(x)).get().whole == best);
    const sk::vector<whole_and_half> running = sk::scan(better)(make(x));
    const auto h = sk::host_read(running);
    check_equal(expected(n, [&](std::size_t i) { return h[i].whole; }), want);
}
