// SPDX-License-Identifier: BSD-3-Clause
#include "monoids.hpp"

using namespace test;

/// Reductions of the rows and of the columns of a matrix.

namespace
{

struct shape {
    std::size_t rows, cols;
};

auto shapes()
{
    return GENERATE(values<shape>(
        {{1, 1}, {1, 500}, {500, 1}, {3, 5}, {64, 64}, {127, 65}, {5, 5000}, {5000, 5}, {700, 300}, {3, 40'000}}));
}

template <class T>
std::vector<T> row(const std::vector<T>& m, shape s, std::size_t r)
{
    return expected(s.cols, [&](std::size_t c) { return m[r * s.cols + c]; });
}
template <class T>
std::vector<T> column(const std::vector<T>& m, shape s, std::size_t c)
{
    return expected(s.rows, [&](std::size_t r) { return m[r * s.cols + c]; });
}

const auto sum = sk::reduce(sk::plus, 0);

} // namespace

TEST_CASE("sums by row and by column", "[reduce][lines]")
{
    const shape s = shapes();
    const auto a = numbers<int>(s.rows * s.cols);
    const auto m = matrix_of(s.rows, s.cols, a);
    const sk::vector<int> rows = sum.by_row(m), cols = sum.by_column(m);
    check_equal(rows, expected(s.rows, [&](std::size_t r) { return folded(sk::plus, row(a, s, r)); }));
    check_equal(cols, expected(s.cols, [&](std::size_t c) { return folded(sk::plus, column(a, s, c)); }));
}

TEST_CASE("the order holds within rows and columns", "[reduce][lines][order]")
{
    const shape s = shapes();
    const auto f = affine_maps(s.rows * s.cols);
    const auto m = matrix_of(s.rows, s.cols, f);
    const auto product = sk::reduce(compose);
    const sk::vector<affine> rows = product.by_row(m), cols = product.by_column(m);
    check_equal(rows, expected(s.rows, [&](std::size_t r) { return folded(compose, row(f, s, r)); }));
    check_equal(cols, expected(s.cols, [&](std::size_t c) { return folded(compose, column(f, s, c)); }));
}

TEST_CASE("the start value comes once in front of every row and column", "[reduce][lines]")
{
    const shape s = shapes();
    const sk::matrix<int> ones(s.rows, s.cols, 1);
    const auto from = sk::reduce(sk::plus, 1000);
    const sk::vector<int> rows = from.by_row(ones), cols = from.by_column(ones);
    check_equal(rows, std::vector<int>(s.rows, 1000 + static_cast<int>(s.cols)));
    check_equal(cols, std::vector<int>(s.cols, 1000 + static_cast<int>(s.rows)));

    const auto f = affine_maps(s.rows * s.cols);
    const auto m = matrix_of(s.rows, s.cols, f);
    const affine start{5, 11};
    const auto product = sk::reduce(compose, start);
    const sk::vector<affine> r = product.by_row(m), c = product.by_column(m);
    check_equal(r, expected(s.rows, [&](std::size_t k) { return compose(start, folded(compose, row(f, s, k))); }));
    check_equal(c, expected(s.cols, [&](std::size_t k) { return compose(start, folded(compose, column(f, s, k))); }));
}

TEST_CASE("matrices without rows or without columns", "[reduce][lines]")
{
    const sk::matrix<int> no_rows(0, 7), no_cols(7, 0), nothing(0, 0);
    const auto bare = sk::reduce(sk::plus);
    const auto from = sk::reduce(sk::plus, 3);
    const sk::vector<int> a = from.by_row(no_rows), b = bare.by_row(no_rows);
    REQUIRE(a.size() == 0);
    REQUIRE(b.size() == 0);
    const sk::vector<int> c = from.by_column(no_rows);
    check_equal(c, std::vector<int>(7, 3));
    REQUIRE_THROWS_AS(sk::vector<int>(bare.by_column(no_rows)), sk::error);
    const sk::vector<int> d = from.by_row(no_cols);
    check_equal(d, std::vector<int>(7, 3));
    REQUIRE_THROWS_AS(sk::vector<int>(bare.by_row(no_cols)), sk::error);
    const sk::vector<int> e = from.by_column(no_cols), f = bare.by_column(no_cols), g = bare.by_row(nothing);
    REQUIRE(e.size() == 0);
    REQUIRE(f.size() == 0);
    REQUIRE(g.size() == 0);
}

TEST_CASE("by row and by column of fused maps and of parts", "[reduce][lines][fusion][view]")
{
    const auto multiply_add =
        sk::map(SKELRT_FN((sk::index2 i, int a, int b, int f) { return f * a * b + (int)(i.row - i.col); }));
    const shape s = GENERATE(values<shape>({{1, 300}, {300, 1}, {65, 33}, {300, 200}}));
    const auto a = numbers<int>(s.rows * s.cols, 1), b = numbers<int>((s.rows + 3) * (s.cols + 2), 2);
    const auto x = matrix_of(s.rows, s.cols, a), y = matrix_of(s.rows + 3, s.cols + 2, b);
    const auto call = multiply_add(x, y.sub(3, 1, s.rows, s.cols), 2);
    const sk::vector<int> rows = sum.by_row(call), cols = sum.by_column(call);
    const auto m = expected(s.rows * s.cols, [&](std::size_t i) {
        const std::size_t r = i / s.cols, c = i % s.cols;
        return 2 * a[i] * b[(r + 3) * (s.cols + 2) + c + 1] + static_cast<int>(r) - static_cast<int>(c);
    });
    check_equal(rows, expected(s.rows, [&](std::size_t r) { return folded(sk::plus, row(m, s, r)); }));
    check_equal(cols, expected(s.cols, [&](std::size_t c) { return folded(sk::plus, column(m, s, c)); }));
}

TEST_CASE("results by row feed further calls", "[reduce][lines]")
{
    const shape s{90, 110};
    const auto a = numbers<int>(s.rows * s.cols);
    const auto m = matrix_of(s.rows, s.cols, a);
    const auto centred =
        sk::map(SKELRT_FN((sk::index2 i, int v, sk::vec<int> sums, int width) { return v * width - sums[i.row]; }));
    const sk::vector<int> sums = sum.by_row(m);
    const sk::matrix<int> k = centred(m, sums, 110);
    const sk::vector<int> zero = sum.by_row(k);
    check_equal(zero, std::vector<int>(s.rows, 0));
}

TEST_CASE("a result by column into a part of a vector", "[reduce][lines][view]")
{
    const sk::matrix<int> ones(50, 20, 1);
    sk::vector<int> y(100, -1);
    y.range(30, 20) = sum.by_column(ones);
    check_equal(y, expected(100, [](std::size_t i) { return i >= 30 && i < 50 ? 50 : -1; }));
}
