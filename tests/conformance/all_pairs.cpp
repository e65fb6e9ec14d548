// SPDX-License-Identifier: BSD-3-Clause
#include "monoids.hpp"

#include <complex>
#include <functional>

using namespace test;

/// All pairs of rows, zipped and reduced, and the transpose that feeds them.

namespace
{

struct shape {
    std::size_t rows, cols, depth;
};

auto shapes()
{
    return GENERATE(values<shape>({{0, 3, 5},
                                   {3, 0, 5},
                                   {1, 1, 1},
                                   {1, 1, 700},
                                   {1, 300, 3},
                                   {300, 1, 3},
                                   {2, 3, 4},
                                   {13, 33, 17},
                                   {64, 64, 64},
                                   {130, 129, 127},
                                   {5, 400, 9},
                                   {401, 67, 550}}));
}

template <class T, class Zip, class Op, class... Start>
auto reference(const std::vector<T>& a, const std::vector<T>& b, shape s, Zip zip, Op op, Start... start)
{
    return expected(s.rows * s.cols, [&](std::size_t i) {
        const T *x = &a[i / s.cols * s.depth], *y = &b[i % s.cols * s.depth];
        auto v = zip(x[0], y[0]);
        ((v = op(start, v)), ...);
        for (std::size_t k = 1; k < s.depth; ++k) v = op(v, zip(x[k], y[k]));
        return v;
    });
}

template <class T>
std::vector<T> transposed(const std::vector<T>& m, std::size_t rows, std::size_t cols)
{
    return expected(m.size(), [&](std::size_t i) { return m[i % rows * cols + i / rows]; });
}

template <class T>
void check_product()
{
    const shape s = shapes();
    const auto a = numbers<T>(s.rows * s.depth, 1), b = numbers<T>(s.cols * s.depth, 2);
    const auto x = matrix_of(s.rows, s.depth, a), y = matrix_of(s.cols, s.depth, b);
    using R = decltype(T{} * T{});
    const auto want = reference(
        a, b, s, [](T p, T q) { return R(p * q); }, [](R p, R q) { return R(p + q); });
    const sk::matrix<R> m = sk::all_pairs(sk::multiplies, sk::plus)(x, y);
    REQUIRE(m.rows() == s.rows);
    REQUIRE(m.cols() == s.cols);
    check_equal(m, want);
    // As the product of two matrices, and with both sides the other way round.
    const auto matmul = sk::all_pairs(sk::multiplies, sk::plus, R{});
    const auto yt = matrix_of(s.depth, s.cols, transposed(b, s.cols, s.depth));
    const auto xt = matrix_of(s.depth, s.rows, transposed(a, s.rows, s.depth));
    sk::matrix<R> n = matmul(x, sk::transpose(yt));
    check_equal(n, want);
    n = matmul(sk::transpose(xt), sk::transpose(yt));
    check_equal(n, want);
}

const auto matmul = sk::all_pairs(sk::multiplies, sk::plus, 0);

} // namespace

TEST_CASE("transposes", "[transpose]")
{
    const std::size_t rows = GENERATE(0, 1, 2, 31, 33, 200), cols = GENERATE(0, 1, 5, 64, 129);
    const auto a = numbers<int>(rows * cols);
    auto m = matrix_of(rows, cols, a);
    const auto want = transposed(a, rows, cols);
    const sk::matrix<int> t = sk::transpose(m);
    REQUIRE(t.rows() == cols);
    REQUIRE(t.cols() == rows);
    check_equal(t, want);
    m = sk::transpose(m);
    REQUIRE(m.rows() == cols);
    check_equal(m, want);
}

TEST_CASE("transposes of parts and in maps", "[transpose][view][fusion]")
{
    const auto a = numbers<int>(60 * 90, 1), b = numbers<int>(70 * 40, 2);
    const auto m = matrix_of(60, 90, a);
    auto x = matrix_of(70, 40, b);
    const auto add = sk::map(SKELRT_FN((int p, int q) { return 100 * p + q; }));
    x = add(sk::transpose(m.sub(5, 7, 40, 70)), x);
    const auto want = expected(b.size(), [&](std::size_t i) { return 100 * a[(5 + i % 40) * 90 + 7 + i / 40] + b[i]; });
    check_equal(x, want);
    const int sum = sk::reduce(sk::plus, 0)(sk::transpose(m)), straight = sk::reduce(sk::plus, 0)(m);
    REQUIRE(sum == straight);
    const sk::vector<int> rows = sk::reduce(sk::plus, 3).by_row(sk::transpose(m)),
                          cols = sk::reduce(sk::plus, 3).by_column(m);
    check_equal(rows, values(cols));
    const auto twice = sk::map(SKELRT_FN((int p) { return 2 * p; }));
    const sk::matrix<int> t = sk::transpose(twice(m));
    check_equal(t, expected(a.size(), [&](std::size_t i) { return 2 * a[i % 60 * 90 + i / 60]; }));
}

TEST_CASE("transposed operands of elements of 1 to 16 bytes", "[transpose][types]")
{
    const std::size_t rows = GENERATE(3, 70, 261), cols = GENERATE(5, 130);
    const auto n = rows * cols;
    const auto c = numbers<char>(n, 1);
    const auto s = numbers<short>(n, 2);
    const auto d = numbers<double>(n, 3);
    const auto z = expected(n, [](std::size_t i) { return std::complex<double>(double(i), -double(i % 7)); });
    // Several in one call, and one that is read along the rows; the position is that of the result.
    const auto mix = sk::map(SKELRT_FN((sk::index2 at, char p, short q, double r, double straight) {
        return p + 2.0 * q + 4.0 * r + 8.0 * straight + 1000.0 * (double)at.row;
    }));
    const auto straight = matrix_of(cols, rows, d);
    const sk::matrix<double> got = mix(sk::transpose(matrix_of(rows, cols, c)), sk::transpose(matrix_of(rows, cols, s)),
                                       sk::transpose(matrix_of(rows, cols, d)), straight);
    check_equal(got, expected(n, [&](std::size_t i) {
                    const std::size_t k = i % rows * cols + i / rows;
                    return c[k] + 2.0 * s[k] + 4.0 * d[k] + 8.0 * d[i] + 1000.0 * double(i / rows);
                }));
    const sk::matrix<std::complex<double>> t = sk::transpose(matrix_of(rows, cols, z));
    check_equal(t, transposed(z, rows, cols));
}

TEST_CASE("products of matrices: int", "[all_pairs]") { check_product<int>(); }
TEST_CASE("products of matrices: float", "[all_pairs]") { check_product<float>(); }
TEST_CASE("products of matrices: double", "[all_pairs]") { check_product<double>(); }
TEST_CASE("products of matrices: unsigned long", "[all_pairs]") { check_product<unsigned long>(); }
TEST_CASE("products of matrices: short", "[all_pairs]") { check_product<short>(); }

TEMPLATE_TEST_CASE("products of a matrix and a vector", "[all_pairs]", int, float, std::complex<double>)
{
    using T = TestType;
    const shape s = GENERATE(
        values<shape>({{0, 1, 5}, {1, 1, 1}, {1, 1, 700}, {300, 1, 3}, {3, 1, 300}, {130, 1, 127}, {401, 1, 550}}));
    CAPTURE(s.rows, s.depth);
    const auto a = numbers<T>(s.rows * s.depth, 1), b = numbers<T>(s.depth, 2), held = numbers<T>(s.rows, 3);
    const auto m = matrix_of(s.rows, s.depth, a), across = matrix_of(s.depth, s.rows, transposed(a, s.rows, s.depth));
    const auto x = vector_of(b);
    const auto product = sk::all_pairs(sk::multiplies, sk::plus, T{});
    const auto want = reference(a, b, s, std::multiplies<>(), std::plus<>());
    sk::vector<T> y = product(m, x);
    check_equal(y, want);
    check_equal(sk::vector<T>(product(x, m)), want);
    check_equal(sk::vector<T>(product(sk::transpose(across), x)), want);
    y = product(x, sk::transpose(across)); // into the same memory
    check_equal(y, want);
    check_equal(sk::eval(sk::all_pairs(sk::multiplies, sk::plus)(m, x)), want);
    auto twice = sk::map(SKELRT_FN((TestType v) { return v + v; }));
    check_equal(sk::vector<T>(product(twice(m), twice(x))),
                expected(s.rows, [&](std::size_t i) { return T(4) * want[i]; }));
    y = vector_of(held);
    y += product(m, x);
    y = T(2) * product(sk::transpose(across), x) - y;
    check_equal(y, expected(s.rows, [&](std::size_t i) { return want[i] - held[i]; }));
}

TEST_CASE("a matrix and a vector: parts, other functions, the order, and what cannot be", "[all_pairs][order]")
{
    const auto a = numbers<int>(60 * 50, 1), b = numbers<int>(100, 2);
    const auto m = matrix_of(60, 50, a);
    const auto x = vector_of(b);
    const sk::vector<int> part = matmul(m.sub(11, 13, 20, 30), x.range(5, 30, 2));
    check_equal(part, expected(20, [&](std::size_t i) {
                    int v = 0;
                    for (std::size_t k = 0; k < 30; ++k) v += a[(11 + i) * 50 + 13 + k] * b[5 + 2 * k];
                    return v;
                }));
    const sk::vector<int> column = matmul(sk::transpose(m.sub(1, 2, 59, 48)), m.column(3).range(0, 59));
    check_equal(column, expected(48, [&](std::size_t i) {
                    int v = 0;
                    for (std::size_t k = 0; k < 59; ++k) v += a[(1 + k) * 50 + 2 + i] * a[k * 50 + 3];
                    return v;
                }));
    const auto f = affine_maps(33 * 60), g = affine_maps(60 + 11);
    const std::vector<affine> h(g.begin() + 11, g.end());
    const auto maps = matrix_of(33, 60, f), across = matrix_of(60, 33, transposed(f, 33, 60));
    const auto composed = sk::all_pairs(compose, compose);
    check_equal(sk::vector<affine>(composed(maps, vector_of(h))), reference(f, h, {33, 1, 60}, compose, compose));
    check_equal(sk::vector<affine>(composed(sk::transpose(across), vector_of(h))),
                reference(f, h, {33, 1, 60}, compose, compose));
    const auto other_way = [](const affine& p, const affine& q) { return compose(q, p); };
    check_equal(sk::vector<affine>(composed(vector_of(h), maps)), reference(f, h, {33, 1, 60}, other_way, compose));
    check_equal(sk::eval(matmul(sk::matrix<int>(3, 0), sk::vector<int>())), std::vector<int>(3, 0));
    REQUIRE_THROWS_AS(sk::eval(matmul(m, x)), sk::error);
    REQUIRE_THROWS_AS(sk::eval(matmul(sk::transpose(m), x)), sk::error);
}

TEST_CASE("other functions than multiply and add", "[all_pairs]")
{
    const shape s = shapes();
    const auto a = numbers<int>(s.rows * s.depth, 1), b = numbers<int>(s.cols * s.depth, 2);
    const auto x = matrix_of(s.rows, s.depth, a), y = matrix_of(s.cols, s.depth, b);
    const auto shortest = sk::all_pairs(sk::plus, sk::minimum);
    const sk::matrix<int> m = shortest(x, y);
    check_equal(m, reference(
                       a, b, s, [](int p, int q) { return p + q; }, [](int p, int q) { return std::min(p, q); }));
    const auto distance = sk::all_pairs(SKELRT_FN((int p, int q) { return (float)((p - q) * (p - q)); }), sk::plus);
    const sk::matrix<float> d = distance(x, y);
    check_equal(d, reference(
                       a, b, s, [](int p, int q) { return static_cast<float>((p - q) * (p - q)); },
                       [](float p, float q) { return p + q; }));
}

TEST_CASE("the start value comes once in front of every element", "[all_pairs]")
{
    const shape s = shapes();
    const auto a = numbers<int>(s.rows * s.depth, 1), b = numbers<int>(s.cols * s.depth, 2);
    const sk::matrix<int> m =
        sk::all_pairs(sk::multiplies, sk::plus, 1000)(matrix_of(s.rows, s.depth, a), matrix_of(s.cols, s.depth, b));
    check_equal(m, reference(
                       a, b, s, [&](int p, int q) { return p * q; }, [](int p, int q) { return p + q; }, 1000));
}

TEST_CASE("rows of nothing", "[all_pairs]")
{
    const sk::matrix<int> x(5, 0), y(7, 0);
    const sk::matrix<int> m = sk::all_pairs(sk::multiplies, sk::plus, 3)(x, y);
    check_equal(m, std::vector<int>(35, 3));
    REQUIRE_THROWS_AS(sk::matrix<int>(sk::all_pairs(sk::multiplies, sk::plus)(x, y)), sk::error);
}

TEST_CASE("the order holds along the rows, of structs that do not commute", "[all_pairs][order]")
{
    const shape s = GENERATE(values<shape>({{1, 1, 1}, {3, 5, 2}, {33, 18, 60}, {70, 65, 129}}));
    const auto f = affine_maps(s.rows * s.depth), g = affine_maps(s.cols * s.depth + 11);
    const std::vector<affine> h(g.begin() + 11, g.end());
    const auto x = matrix_of(s.rows, s.depth, f), y = matrix_of(s.cols, s.depth, h);
    const affine start{5, 11};
    const sk::matrix<affine> m = sk::all_pairs(compose, compose)(x, y),
                             n = sk::all_pairs(compose, compose, start)(x, y);
    const auto want = reference(f, h, s, compose, compose);
    check_equal(m, want);
    check_equal(n, expected(want.size(), [&](std::size_t i) { return compose(start, want[i]); }));
}

TEST_CASE("parts of matrices as sides and as result", "[all_pairs][view]")
{
    const std::size_t rows = 45, cols = 37, depth = 29;
    const auto a = numbers<int>(60 * 50, 1), b = numbers<int>(70 * 64, 2);
    const auto x = matrix_of(60, 50, a), y = matrix_of(70, 64, b);
    sk::matrix<int> to(50, 50, -1);
    to.sub(3, 4, rows, cols) = matmul(x.sub(11, 13, rows, depth), sk::transpose(y.sub(20, 5, depth, cols)));
    check_equal(to, expected(2500, [&](std::size_t i) {
                    const std::size_t r = i / 50 - 3, c = i % 50 - 4;
                    if (r >= rows || c >= cols) return -1;
                    int v = 0;
                    for (std::size_t k = 0; k < depth; ++k) v += a[(11 + r) * 50 + 13 + k] * b[(20 + k) * 64 + 5 + c];
                    return v;
                }));
}

TEST_CASE("map calls as sides fuse", "[all_pairs][fusion]")
{
    const shape s = GENERATE(values<shape>({{1, 1, 1}, {40, 70, 33}, {129, 5, 300}}));
    const auto a = numbers<int>(s.rows * s.depth, 1), b = numbers<int>(s.cols * s.depth, 2),
               c = numbers<int>(s.cols * s.depth, 3), w = numbers<int>(s.depth, 4);
    const auto shift = sk::map(SKELRT_FN((sk::index2 i, int v, int by) { return v * by + (int)i.row - (int)i.col; }));
    const auto join = sk::map(SKELRT_FN((int p, int q, int r) { return p * r - q; }));
    const auto x = matrix_of(s.rows, s.depth, a), y = matrix_of(s.cols, s.depth, b);
    const auto zt = matrix_of(s.depth, s.cols, transposed(c, s.cols, s.depth));
    sk::matrix<int> m = matmul(shift(x, 3), join(y, sk::transpose(zt), sk::per_column(vector_of(w))));
    const auto want = expected(s.rows * s.cols, [&](std::size_t i) {
        const std::size_t r = i / s.cols, q = i % s.cols;
        int v = 0;
        for (std::size_t k = 0; k < s.depth; ++k)
            v += (a[r * s.depth + k] * 3 + static_cast<int>(r) - static_cast<int>(k)) *
                 (b[q * s.depth + k] * w[k] - c[q * s.depth + k]);
        return v;
    });
    check_equal(m, want);
    m = matmul(shift(x, 3), join(y, sk::transpose(zt), sk::per_column(vector_of(w)))); // into the same memory
    check_equal(m, want);
}

TEST_CASE("chains of products, in place and not", "[all_pairs][asynchronous]")
{
    const std::size_t n = 50;
    const auto a = numbers<unsigned>(n * n, 1);
    auto x = matrix_of(n, n, a);
    const auto product = sk::all_pairs(sk::multiplies, sk::plus, 0u);
    auto want = a;
    for (int k = 0; k < 4; ++k) {
        x = product(x, sk::transpose(x));
        want = reference(
            want, transposed(want, n, n), {n, n, n}, [](unsigned p, unsigned q) { return p * q; },
            [](unsigned p, unsigned q) { return p + q; });
    }
    check_equal(x, want);
    const unsigned sum = sk::reduce(sk::plus, 0u)(x);
    unsigned total = 0;
    for (unsigned v : want) total += v;
    REQUIRE(sum == total);
}
