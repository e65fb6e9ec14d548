// SPDX-License-Identifier: BSD-3-Clause
#include "monoids.hpp"

#include <skelrt/algorithms.hpp>

#include <algorithm>
#include <numeric>
#include <tuple>

using namespace test;

/// Several reductions in one pass.

SKELRT_SHARED(struct weighed {
    float weight;
    int kind;
};)

namespace
{

const auto smallest = sk::reduce(sk::minimum);
const auto largest = sk::reduce(sk::maximum);
const auto sum = sk::reduce(sk::plus, 0);
const auto total = sk::reduce(sk::plus, 0.0);
const auto product = sk::reduce(compose);
const auto multiply = sk::map(sk::multiplies);
const auto twice = sk::map(SKELRT_FN((int a) { return 2 * a + 1; }));
const auto widen = sk::map(SKELRT_FN((int a) { return (long)a; }));

auto some_sizes() { return GENERATE(as<std::size_t>(), 1, 2, 3, 63, 65, 255, 257, 1025, 4099, 100'003); }

template <class T>
T least_of(const std::vector<T>& v)
{
    return *std::min_element(v.begin(), v.end());
}
template <class T>
T most_of(const std::vector<T>& v)
{
    return *std::max_element(v.begin(), v.end());
}
template <class T>
long sum_of(const std::vector<T>& v)
{
    return std::accumulate(v.begin(), v.end(), 0L, [](long s, T x) { return s + static_cast<long>(x); });
}
long dot(const std::vector<int>& a, const std::vector<int>& b)
{
    return std::inner_product(a.begin(), a.end(), b.begin(), 0L);
}

} // namespace

TEMPLATE_TEST_CASE("several reductions of the same elements", "[together][types]", int, long, float, double, short,
                   unsigned char)
{
    const auto n = some_sizes();
    auto a = numbers<TestType>(n);
    a[n / 3] = 77;
    a[n - 1] = static_cast<TestType>(a[n - 1] + 20);
    const auto x = vector_of(a);
    TestType least{}, most{};
    decltype(TestType{} + TestType{}) all{};
    sk::tie(least, most, all) = sk::together(smallest, largest, sk::reduce(sk::plus))(x);
    REQUIRE(least == least_of(a));
    REQUIRE(most == most_of(a));
    REQUIRE(static_cast<long>(all) == sum_of(a));
    sk::scalar<TestType> low, high;
    sk::tie(low, high) = sk::together(smallest, largest)(x); // does not wait
    REQUIRE(low.get() == least_of(a));
    REQUIRE(high.get() == most_of(a));
}

TEST_CASE("reductions of different calls", "[together][fusion]")
{
    for (const bool fused : {true, false}) {
        const sk::fusion switched(fused);
        const auto n = some_sizes();
        const auto a = numbers<int>(n), b = numbers<int>(n, 2);
        const auto x = vector_of(a), y = vector_of(b);
        int most = 0;
        long xy = 0, xx = 0;
        const auto longs = sk::reduce(sk::plus, 0L);
        sk::tie(xy, xx, most) =
            sk::together(longs(widen(multiply(x, y))), longs(widen(multiply(x, x))), largest(twice(y)));
        REQUIRE(xy == dot(a, b));
        REQUIRE(xx == dot(a, a));
        REQUIRE(most == 2 * most_of(b) + 1);
        sk::scalar<double> s, t;
        sk::tie(s, t) = sk::together(total(sk::cast<double>(x * y)), total(sk::cast<double>(y)));
        REQUIRE(s.get() == static_cast<double>(dot(a, b)));
        REQUIRE(t.get() == static_cast<double>(sum_of(b)));
        const auto [p, q] = sk::together(sum(x + y), sum(x - y)).get();
        REQUIRE(p == sum_of(a) + sum_of(b));
        REQUIRE(q == sum_of(a) - sum_of(b));
    }
}

TEST_CASE("several reductions of a map are of its results", "[together][fusion]")
{
    const auto n = some_sizes();
    const auto a = numbers<int>(n);
    const auto b = expected(n, [&](std::size_t i) { return 2 * a[i] + 1; });
    int least = 0, most = 0, all = 0;
    sk::tie(least, most, all) = sk::together(smallest, largest, sum)(twice(vector_of(a)));
    REQUIRE(least == least_of(b));
    REQUIRE(most == most_of(b));
    REQUIRE(all == sum_of(b));
}

TEST_CASE("several operators that are not commutative keep their order", "[together][order]")
{
    const auto n = some_sizes();
    const auto f = affine_maps(n);
    const auto m = matrices(n);
    affine map{}, twice_mapped{};
    square2 all{};
    sk::tie(map, all, twice_mapped) =
        sk::together(product(vector_of(f)), sk::reduce(matrix_product, square2{1, 0, 0, 1})(vector_of(m)),
                     sk::reduce(compose, affine{5, 11})(vector_of(f)));
    REQUIRE(map == folded(compose, f));
    REQUIRE(all == folded(matrix_product, m));
    REQUIRE(twice_mapped == compose(affine{5, 11}, folded(compose, f)));
    const auto a = expected(n, [](std::size_t i) { return static_cast<int>(i) + 5; });
    int first = 0, last = 0;
    sk::tie(first, last) = sk::together(sk::reduce(keep_first), sk::reduce(keep_last))(vector_of(a));
    REQUIRE(first == a.front());
    REQUIRE(last == a.back());
}

TEST_CASE("each start value comes once, in front", "[together]")
{
    const auto n = some_sizes();
    const sk::vector<int> ones(n, 1);
    int all = 0, from = 0, most = 0;
    sk::tie(all, from) = sk::together(sum, sk::reduce(sk::plus, 1000))(ones);
    REQUIRE(all == static_cast<int>(n));
    REQUIRE(from == static_cast<int>(n) + 1000);
    // Not all have one.
    sk::tie(from, most) = sk::together(sk::reduce(sk::plus, 1000), largest)(ones);
    REQUIRE(from == static_cast<int>(n) + 1000);
    REQUIRE(most == 1);
    sk::scalar<int> later, largest_later;
    sk::scalar<affine> composed;
    const auto f = affine_maps(n);
    sk::tie(largest_later, composed, later) =
        sk::together(largest(ones), sk::reduce(compose, affine{5, 11})(vector_of(f)), sk::reduce(sk::plus, 1000)(ones));
    REQUIRE(largest_later.get() == 1);
    REQUIRE(composed.get() == compose(affine{5, 11}, folded(compose, f)));
    REQUIRE(later.get() == static_cast<int>(n) + 1000);
}

TEST_CASE("several reductions of nothing", "[together]")
{
    const sk::vector<int> none(0), never;
    int a = 1, b = 1;
    sk::tie(a, b) = sk::together(sk::reduce(sk::plus, 42), sk::reduce(sk::maximum, -7))(none);
    REQUIRE(a == 42);
    REQUIRE(b == -7);
    sk::scalar<int> s, t;
    sk::tie(s, t) = sk::together(sk::reduce(sk::plus, 43), sk::reduce(sk::maximum, -8))(never);
    REQUIRE(s.get() == 43);
    REQUIRE(t.get() == -8);
    REQUIRE_THROWS_WITH((sk::tie(a, b) = sk::together(sum, largest)(none)),
                        Catch::Contains("no value without a start value"));
    REQUIRE_THROWS_AS((sk::tie(s, t) = sk::together(sum, largest)(none)), sk::error);
    REQUIRE(s.get() == 43);
    sk::tie(a, b) = sk::together(sum, sum)(sk::matrix<int>(0, 5));
    REQUIRE((a == 0 && b == 0));
}

TEST_CASE("several reductions of matrices, tensors and parts", "[together][view]")
{
    const std::size_t rows = 60, cols = 91;
    const auto a = numbers<int>(rows * cols);
    const auto m = matrix_of(rows, cols, a);
    int least = 0, all = 0;
    sk::tie(least, all) = sk::together(smallest, sum)(m);
    REQUIRE(least == least_of(a));
    REQUIRE(all == sum_of(a));
    const auto part = expected(20 * 57, [&](std::size_t i) { return a[(10 + i / 57) * cols + 20 + i % 57]; });
    sk::tie(least, all) = sk::together(smallest, sum)(m.sub(10, 20, 20, 57));
    REQUIRE(least == least_of(part));
    REQUIRE(all == sum_of(part));
    const auto column = expected(rows, [&](std::size_t r) { return a[r * cols + 5]; });
    sk::tie(least, all) = sk::together(smallest(m.column(5)), sum(m.column(5) * m.column(5)));
    REQUIRE(least == least_of(column));
    REQUIRE(all == dot(column, column));
    const sk::tensor<int, 3> t({3, 20, 91}, a.begin());
    sk::tie(least, all) = sk::together(smallest, sum)(t + t);
    REQUIRE(least == 2 * least_of(a));
    REQUIRE(all == 2 * sum_of(a));
}

TEST_CASE("several reductions by row and by column", "[together][lines]")
{
    const auto [rows, cols] =
        GENERATE(table<std::size_t, std::size_t>({{1, 1}, {1, 777}, {777, 1}, {65, 33}, {200, 300}, {5, 5000}}));
    const std::size_t height = rows, width = cols;
    const auto a = numbers<int>(rows * cols);
    const auto f = affine_maps(rows * cols);
    const auto m = matrix_of(rows, cols, a);
    const auto row = [&](const auto& v, std::size_t r) {
        return expected(width, [&](std::size_t c) { return v[r * width + c]; });
    };
    const auto column = [&](const auto& v, std::size_t c) {
        return expected(height, [&](std::size_t r) { return v[r * width + c]; });
    };
    sk::vector<int> least, all;
    sk::vector<affine> composed;
    sk::tie(least, all) = sk::together(smallest, sum).by_row(m);
    check_equal(least, expected(rows, [&](std::size_t r) { return least_of(row(a, r)); }));
    check_equal(all, expected(rows, [&](std::size_t r) { return static_cast<int>(sum_of(row(a, r))); }));
    const auto fs = matrix_of(rows, cols, f);
    sk::tie(composed, all) = sk::together(product.by_column(fs), sk::reduce(sk::plus, 100).by_column(twice(m)));
    check_equal(composed, expected(cols, [&](std::size_t c) { return folded(compose, column(f, c)); }));
    check_equal(all, expected(cols, [&](std::size_t c) {
                    return 100 + 2 * static_cast<int>(sum_of(column(a, c))) + static_cast<int>(height);
                }));
}

TEST_CASE("what algorithms reduce joins in", "[together]")
{
    const auto n = some_sizes();
    auto a = numbers<float>(n);
    a[n / 2] = -3;
    const auto x = vector_of(a);
    const auto [range, spread, at] = sk::together(sk::minmax(x), sk::mean_and_variance(x), sk::argmin(x)).get();
    REQUIRE(range.min == -3);
    REQUIRE(range.max == most_of(a));
    REQUIRE(spread.count == n);
    REQUIRE(spread.mean == Approx(static_cast<double>(sum_of(a)) / static_cast<double>(n)));
    REQUIRE(at.index == n / 2);
}

TEST_CASE("six reductions of structs, halves and answers", "[together][types][half]")
{
    const auto n = some_sizes();
    const auto things = expected(n, [](std::size_t i) {
        return weighed{static_cast<float>(i % 32), static_cast<int>(i % 7)};
    });
    std::vector<sk::half> halves(n, sk::half(0.5f));
    const auto a = numbers<int>(n);
    const auto x = vector_of(a);
    const auto heavier = SKELRT_FN((weighed p, weighed q) { return p.weight < q.weight ? q : p; });
    const auto both = SKELRT_FN((bool p, bool q) { return p && q; });
    weighed heaviest{};
    float of_halves = 0;
    sk::half least = 0;
    bool small = false, tiny = true;
    int all = 0;
    sk::tie(heaviest, of_halves, least, small, tiny, all) =
        sk::together(sk::reduce(heavier)(vector_of(things)), sk::reduce(sk::plus, 0.0f)(vector_of(halves)),
                     smallest(vector_of(halves)), sk::reduce(both, true)(x < 10), sk::reduce(both)(x < 0), sum(x));
    REQUIRE(heaviest.weight == static_cast<float>(std::min<std::size_t>(n - 1, 31)));
    REQUIRE(of_halves == 0.5f * static_cast<float>(n));
    REQUIRE(least == sk::half(0.5f));
    REQUIRE(small);
    REQUIRE(!tiny);
    REQUIRE(all == sum_of(a));
}

TEST_CASE("scalars of several reductions feed the next calls", "[together][scalar]")
{
    const std::size_t n = 5003;
    auto a = numbers<int>(n);
    a[17] = 12;
    auto x = vector_of(a);
    const auto scale = sk::map(SKELRT_FN((int v, int low, int high) { return (v - low) * 10 / (high - low); }));
    sk::scalar<int> low, high;
    for (int i = 0; i < 3; ++i) {
        sk::tie(low, high) = sk::together(smallest, largest)(x);
        x = scale(x, low, high);
        const int least = least_of(a), most = most_of(a);
        for (auto& v : a) v = (v - least) * 10 / (most - least);
    }
    check_equal(x, a);
    REQUIRE(high.get() == 10);
}

TEST_CASE("several reductions of stencils, positions and other reductions", "[together]")
{
    const std::size_t n = 3001;
    const auto a = numbers<int>(n);
    const auto x = vector_of(a);
    const auto sides = sk::stencil(SKELRT_FN((sk::hood1<int> u) { return u(-1) + u(1); }), sk::border::constant(0));
    const auto at = sk::map(SKELRT_FN((sk::index1 i, int v) { return (int)i.i * v; }));
    int all = 0, most = 0, mixed = 0;
    sk::tie(all, most, mixed) = sk::together(sum(sides(x)), largest(at(x)), largest(x - smallest(x)));
    int want = 0;
    for (std::size_t i = 0; i < n; ++i) want = std::max(want, static_cast<int>(i) * a[i]);
    REQUIRE(all == 2 * sum_of(a) - a.front() - a.back());
    REQUIRE(most == want);
    REQUIRE(mixed == most_of(a) - least_of(a));
}

TEST_CASE("several reductions of calls of other shapes", "[together]")
{
    const sk::vector<int> x(10, 1), y(11, 1);
    int a = 0, b = 0;
    REQUIRE_THROWS_WITH((sk::tie(a, b) = sk::together(sum(x), sum(y))), Catch::Contains("sk::together"));
    REQUIRE_THROWS_AS((sk::tie(a, b) = sk::together(sum(x), sum(sk::matrix<int>(2, 5, 1)))), sk::error);
    sk::vector<int> r, s;
    REQUIRE_THROWS_AS((sk::tie(r, s) = sk::together(sum, largest).by_row(x)), sk::error);
}
