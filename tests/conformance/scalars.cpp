// SPDX-License-Identifier: BSD-3-Clause
#include "monoids.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

using namespace test;

namespace
{

const auto sum = sk::reduce(sk::plus, 0.0);
const auto divide = sk::map(sk::divides);
const auto multiply = sk::map(sk::multiplies);
const auto scaled = sk::map(SKELRT_FN((float a, float x) { return a * x; }));
const auto shifted = sk::map(SKELRT_FN((float x, float by) { return x + by; }));

double dot(const std::vector<double>& a, const std::vector<double>& b)
{
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

std::vector<double> reals(std::size_t n)
{
    std::vector<double> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = static_cast<double>(i % 17) - 8;
    return v;
}

} // namespace

SKELRT_SHARED(struct span_of_values { int least, most; };)

TEST_CASE("a scalar whose value has gone says so until it has another one", "[scalar]")
{
    sk::scalar<int> a(3);
    const sk::scalar<int> b(std::move(a));
    REQUIRE(b.get() == 3);
    sk::vector<int> x(10, 1);
    REQUIRE_THROWS_WITH(a.get(), Catch::Contains("has gone to another one"));
    REQUIRE_THROWS_WITH(x = x * a, Catch::Contains("has gone to another one"));
    a = 4;
    x = x * a;
    check_equal(x, std::vector<int>(10, 4));
}

TEST_CASE("a map of scalars is a scalar", "[scalar][map]")
{
    const sk::scalar<int> a = 20, b = 3;
    const auto subtract = sk::map(sk::minus);
    sk::scalar<int> c = subtract(a, b);
    REQUIRE(c.get() == 17);
    c = subtract(c, 1);
    REQUIRE(c.get() == 16);
    c = multiply(subtract(c, b), subtract(b, c)); // nested, and read several times
    REQUIRE(c.get() == 13 * -13);
    REQUIRE(a.get() == 20);
}

TEST_CASE("a map of values alone is a scalar, too", "[scalar][map]")
{
    const sk::scalar<double> c = divide(1.0, 4.0);
    REQUIRE(c.get() == 0.25);
}

TEST_CASE("scalars of reductions meet in a map", "[scalar][reduce]")
{
    const auto n = GENERATE(as<std::size_t>(), 1, 7, 1000, 70'001);
    const auto a = reals(n);
    const auto x = vector_of(a);
    const double all = dot(a, a), plain = std::accumulate(a.begin(), a.end(), 0.0);
    const sk::scalar<double> xx = sum(multiply(x, x)), s = sum(x);
    const sk::scalar<double> ratio = divide(s, xx);
    REQUIRE(xx.get() == all); // integers: no rounding
    REQUIRE(ratio.get() == plain / all);
    const auto scale = sk::map(SKELRT_FN((double v, double by) { return v * by; }));
    const sk::vector<double> y = scale(x, ratio);
    check_equal(y, expected(n, [&](std::size_t i) { return a[i] * (plain / all); }));
}

TEST_CASE("a scalar takes its next values where it is, and calls see those that it had", "[scalar][chain]")
{
    const std::size_t n = 5000;
    std::vector<int> a(n);
    std::iota(a.begin(), a.end(), 0);
    sk::vector<int> x = vector_of(a);
    const auto most = sk::reduce(sk::maximum);
    const auto add = sk::map(SKELRT_FN((int v, int s) { return v - s + 1; }));
    sk::scalar<int> s = most(x);
    int expected_most = static_cast<int>(n) - 1, shift = 0;
    for (int i = 0; i < 10; ++i) {
        x = add(x, s);
        shift += 1 - expected_most;
        s = most(x);
        expected_most = 1;
    }
    REQUIRE(s.get() == 1);
    check_equal(x, expected(n, [&](std::size_t k) { return a[k] + shift; }));
}

TEST_CASE("a value of the host's replaces a scalar's, and calls under way see the one that they had", "[scalar][chain]")
{
    const std::size_t n = GENERATE(1, 5000);
    sk::vector<float> x(n, 1.0f);
    sk::scalar<float> factor = 2.0f;
    float want = 1;
    for (int k = 0; k < 50; ++k) {
        const float now = static_cast<float>(k % 3) - 1.0f;
        factor = now;
        x = scaled(factor, x);
        factor = 100.0f; // the call above has its own
        x = shifted(x, factor);
        want = now * want + 100.0f;
        if (k % 7 == 0) CHECK(factor.get() == 100.0f);
    }
    check_equal(x, std::vector<float>(n, want));
    sk::wait(x);
    const sk::scalar<float> copy = factor;
    factor = 3;
    CHECK(copy.get() == 100.0f);
    CHECK(factor.get() == 3.0f);
}

TEST_CASE("a reduction that reads the scalar it goes to", "[scalar][reduce]")
{
    const std::size_t n = GENERATE(as<std::size_t>(), 10, 20'000);
    const sk::vector<int> x(n, 2);
    const auto times = sk::map(SKELRT_FN((int v, int s) { return v * s; }));
    sk::scalar<int> s = 3;
    s = sk::reduce(sk::plus, 1)(times(x, s));
    REQUIRE(s.get() == 1 + 6 * static_cast<int>(n));
}

TEST_CASE("the start value stands in front, and alone for nothing", "[scalar][reduce]")
{
    const auto n = GENERATE(as<std::size_t>(), 1, 33, 3000, 66'000);
    const auto f = affine_maps(n);
    const auto x = vector_of(f);
    const affine front{3, 7};
    const sk::scalar<affine> behind = sk::reduce(compose, front)(x);
    REQUIRE(behind.get() == compose(front, folded(compose, f)));
    sk::scalar<affine> s = sk::reduce(compose)(x);
    REQUIRE(s.get() == folded(compose, f));
    s = sk::reduce(compose, front)(sk::vector<affine>());
    REQUIRE(s.get() == front);
    REQUIRE_THROWS_AS(s = sk::reduce(compose)(sk::vector<affine>()), sk::error);
    REQUIRE(s.get() == front); // as it was
}

TEST_CASE("columns with a start value in front", "[scalar][reduce][columns]")
{
    const auto [rows, cols] = GENERATE(table<std::size_t, std::size_t>({{1, 1}, {3, 500}, {700, 3}, {260, 70}}));
    const auto f = affine_maps(rows * cols);
    const auto m = matrix_of(rows, cols, f);
    const affine front{3, 7};
    const sk::vector<affine> all = sk::reduce(compose, front).by_column(m);
    check_equal(all, expected(cols, [&, c = cols, r = rows](std::size_t j) {
                    affine value = front;
                    for (std::size_t i = 0; i < r; ++i) value = compose(value, f[i * c + j]);
                    return value;
                }));
}

TEST_CASE("structs as scalars: several values of one call", "[scalar][types][struct]")
{
    const std::size_t n = 4001;
    const auto a = numbers<int>(n);
    const auto x = vector_of(a);
    const auto widest = sk::reduce(SKELRT_FN((span_of_values s, span_of_values t) {
        span_of_values both = s;
        if (t.least < s.least) both.least = t.least;
        if (t.most > s.most) both.most = t.most;
        return both;
    }));
    const auto own = sk::map(SKELRT_FN((int v) { return span_of_values{v, v}; }));
    const sk::scalar<span_of_values> s = widest(own(x));
    const auto width = sk::map(SKELRT_FN((span_of_values v) { return v.most - v.least; }));
    const sk::scalar<int> w = width(s);
    const auto [least, most] = std::minmax_element(a.begin(), a.end());
    REQUIRE(w.get() == *most - *least);
}

TEST_CASE("conjugate gradients on a diagonal matrix: scalars feed calls, and calls scalars", "[scalar][chain]")
{
    // Eigenvalues 1, 2, 3: three steps are enough.
    const std::size_t n = 3000;
    std::vector<double> d(n), b(n, 1.0);
    for (std::size_t i = 0; i < n; ++i) d[i] = 1.0 + static_cast<double>(i % 3);
    const auto diagonal = vector_of(d);
    sk::vector<double> x(n, 0.0), r = vector_of(b), p = vector_of(b), q(n);
    const auto add = sk::map(SKELRT_FN((double u, double a, double v) { return u + a * v; }));
    const auto subtract = sk::map(SKELRT_FN((double u, double a, double v) { return u - a * v; }));
    sk::scalar<double> rr = sum(multiply(r, r));
    for (int step = 0; step < 3; ++step) {
        q = multiply(diagonal, p);
        const sk::scalar<double> alpha = divide(rr, sk::scalar<double>(sum(multiply(p, q))));
        x = add(x, alpha, p);
        r = subtract(r, alpha, q);
        const sk::scalar<double> next = sum(multiply(r, r)), beta = divide(next, rr);
        p = add(r, beta, p);
        rr = next;
    }
    REQUIRE(rr.get() < 1e-20 * static_cast<double>(n));
    const auto view = sk::host_read(x);
    for (std::size_t i = 0; i < n; ++i) REQUIRE(std::abs(view[i] - 1.0 / d[i]) < 1e-12);
}

TEST_CASE("an error in a task reaches who reads a scalar made from its result", "[scalar][errors]")
{
    if (!test::devices().has(sk::device::cpu)) return; // device code throws nothing
    const sk::only cpu(sk::device::cpu);
    const sk::vector<int> x(10'000, 77);
    const auto refuse = sk::map(sk::function(
        [](int v) {
            if (v == 77) throw std::runtime_error("77");
            return v;
        },
        "(int v) { return v; }", __FILE__, __LINE__));
    const auto failing = [&] {
        const sk::scalar<int> s = sk::reduce(sk::plus)(refuse(x));
        const sk::scalar<int> t = sk::map(sk::negate)(s);
        return t.get();
    };
    REQUIRE_THROWS_AS(failing(), std::runtime_error);
}

TEST_CASE("a shape in front of a map to a scalar is one element", "[scalar][errors]")
{
    const auto position = sk::map(SKELRT_FN((sk::index1 i, int v) { return v + (int)i.i; }));
    const sk::scalar<int> one = position(sk::shape(1), 5);
    REQUIRE(one.get() == 5);
    REQUIRE_THROWS_AS(sk::scalar<int>(position(sk::shape(2), 5)), sk::error);
}
