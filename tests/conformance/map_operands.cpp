// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

using namespace test;

namespace
{

const auto iota = sk::map(SKELRT_FN((sk::index1 i) { return (int)i.i; }));
const auto twice = sk::map(SKELRT_FN((int a) { return 2 * a; }));
const auto add = sk::map(SKELRT_FN((int a, int b) { return a + 10 * b; }));
const auto add3 = sk::map(SKELRT_FN((int a, int b, int c) { return a + 10 * b + 100 * c; }));
const auto add4 = sk::map(SKELRT_FN((int a, int b, int c, int d) { return a + 10 * b + 100 * c + 1000 * d; }));
const auto add5 =
    sk::map(SKELRT_FN((int a, int b, int c, int d, int e) { return a + 10 * b + 100 * c + 1000 * d + 10000 * e; }));
const auto add6 = sk::map(SKELRT_FN(
    (int a, int b, int c, int d, int e, int f) { return a + 10 * b + 100 * c + 1000 * d + 10000 * e + 100000 * f; }));
const auto saxpy = sk::map(SKELRT_FN((float a, float x, float y) { return a * x + y; }));

} // namespace

TEST_CASE("map takes any number of operands", "[map]")
{
    const auto n = sizes();
    std::vector<std::vector<int>> want;
    std::vector<sk::vector<int>> x;
    for (unsigned k = 0; k < 6; ++k) {
        want.push_back(numbers<int>(n, k));
        x.push_back(vector_of(want.back()));
    }
    const auto sum = [&](std::size_t i, int operands) {
        int total = 0, weight = 1;
        for (int k = 0; k < operands; ++k, weight *= 10) total += weight * want[static_cast<std::size_t>(k)][i];
        return total;
    };
    sk::vector<int> y(n);
    y = iota();
    check_equal(y, expected(n, [&](std::size_t i) { return static_cast<int>(i); }));
    y = twice(x[0]);
    check_equal(y, expected(n, [&](std::size_t i) { return 2 * sum(i, 1); }));
    y = add(x[0], x[1]);
    check_equal(y, expected(n, [&](std::size_t i) { return sum(i, 2); }));
    y = add3(x[0], x[1], x[2]);
    check_equal(y, expected(n, [&](std::size_t i) { return sum(i, 3); }));
    y = add4(x[0], x[1], x[2], x[3]);
    check_equal(y, expected(n, [&](std::size_t i) { return sum(i, 4); }));
    y = add5(x[0], x[1], x[2], x[3], x[4]);
    check_equal(y, expected(n, [&](std::size_t i) { return sum(i, 5); }));
    y = add6(x[0], x[1], x[2], x[3], x[4], x[5]);
    check_equal(y, expected(n, [&](std::size_t i) { return sum(i, 6); }));
    for (unsigned k = 0; k < 6; ++k) check_equal(x[k], want[k]);
}

TEST_CASE("map of matrices", "[map]")
{
    const auto [rows, cols] = GENERATE(
        table<std::size_t, std::size_t>({{0, 0}, {0, 5}, {5, 0}, {1, 1}, {1, 1000}, {1000, 1}, {3, 7}, {127, 65}}));
    const auto a = numbers<int>(rows * cols, 1), b = numbers<int>(rows * cols, 2);
    const auto x = matrix_of(rows, cols, a), y = matrix_of(rows, cols, b);
    const sk::matrix<int> z = add(x, y);
    REQUIRE(z.rows() == rows);
    REQUIRE(z.cols() == cols);
    check_equal(z, expected(rows * cols, [&](std::size_t i) { return a[i] + 10 * b[i]; }));
}

TEST_CASE("map writes in place", "[map]")
{
    const auto n = sizes();
    const auto a = numbers<int>(n, 1), b = numbers<int>(n, 2);
    auto x = vector_of(a);
    const auto y = vector_of(b);
    x = twice(x);
    check_equal(x, expected(n, [&](std::size_t i) { return 2 * a[i]; }));
    x = add(x, y);
    check_equal(x, expected(n, [&](std::size_t i) { return 2 * a[i] + 10 * b[i]; }));
    x = add(y, x);
    check_equal(x, expected(n, [&](std::size_t i) { return b[i] + 10 * (2 * a[i] + 10 * b[i]); }));
    check_equal(y, b);
}

TEST_CASE("one container may be several operands and the destination", "[map]")
{
    const auto n = sizes();
    const auto a = numbers<int>(n);
    auto x = vector_of(a);
    const sk::vector<int> y = add(x, x);
    check_equal(y, expected(n, [&](std::size_t i) { return 11 * a[i]; }));
    x = add3(x, x, x);
    check_equal(x, expected(n, [&](std::size_t i) { return 111 * a[i]; }));
}

TEST_CASE("uniform values are the same everywhere", "[map]")
{
    const auto n = sizes();
    const auto a = numbers<float>(n, 1), b = numbers<float>(n, 2);
    const auto x = vector_of(a);
    auto y = vector_of(b);
    y = saxpy(3.0f, x, y);
    check_equal(y, expected(n, [&](std::size_t i) { return 3 * a[i] + b[i]; }));
    y = saxpy(2, x, 1); // converted to the parameter's type
    check_equal(y, expected(n, [&](std::size_t i) { return 2 * a[i] + 1; }));
    float factor = 5;
    const auto later = saxpy(factor, x, x);
    factor = 0; // the call has its own copy
    y = later;
    check_equal(y, expected(n, [&](std::size_t i) { return 6 * a[i]; }));
}

TEST_CASE("sk::scalar operands feed calls", "[map][scalar]")
{
    const auto n = sizes();
    const auto a = numbers<float>(n);
    const auto x = vector_of(a);
    const sk::scalar<float> factor = 4.0f;
    sk::vector<float> y = saxpy(factor, x, factor);
    check_equal(y, expected(n, [&](std::size_t i) { return 4 * a[i] + 4; }));
    const sk::scalar<float> total = sk::reduce(sk::plus, 0.0f)(x); // stays where it is
    y = saxpy(total, x, x);
    float sum = 0;
    for (const float v : a) sum += v;
    check_equal(y, expected(n, [&](std::size_t i) { return sum * a[i] + a[i]; }));
    REQUIRE(total.get() == sum);
}

TEST_CASE("a destination of another size gets the result's size", "[map]")
{
    const auto a = numbers<int>(100);
    const auto x = vector_of(a);
    sk::vector<int> y(7, 3), z;
    y = twice(x);
    z = twice(x);
    check_equal(y, expected(100, [&](std::size_t i) { return 2 * a[i]; }));
    check_equal(z, values(y));
    sk::matrix<int> m(3, 4, 1), k;
    k = twice(m);
    REQUIRE(k.rows() == 3);
    REQUIRE(k.cols() == 4);
    check_equal(k, std::vector<int>(12, 2));
}

TEST_CASE("sixteen operands", "[map]")
{
    const auto n = GENERATE(as<std::size_t>(), 1, 1000, 4099);
    const auto all = sk::map(SKELRT_FN((int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k,
                                        int l, int m, int o, int p, int q) {
        return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j + 11 * k + 12 * l + 13 * m +
               14 * o + 15 * p + 16 * q;
    }));
    std::vector<sk::vector<int>> x;
    for (int k = 0; k < 16; ++k) x.emplace_back(n, k + 1);
    const sk::vector<int> y =
        all(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11], x[12], x[13], x[14], x[15]);
    check_equal(y, std::vector<int>(n, 16 * 17 * 33 / 6));
}
