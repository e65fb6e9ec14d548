// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

using namespace test;

SKELRT_SHARED(
    struct straight { float slope, offset; }; enum class way
    : int{up, down};
    inline int twice(int x) { return 2 * x; })

namespace
{

/// What a member function's user function takes from its object.
struct scaling {
    int factor;
    auto function() const
    {
        return SKELRT_FN_WITH((factor), (int x) { return factor * x; });
    }
};

template <class T>
sk::vector<T> scaled(const sk::vector<T>& x, T by)
{
    return sk::map(SKELRT_FN_WITH((by), (auto v) { return v * by; }))(x);
}

} // namespace

TEST_CASE("captured values are what they were where the function was made", "[captures][map]")
{
    const auto n = sizes();
    const auto a = numbers<float>(n);
    const auto x = vector_of(a);
    float slope = 2;
    const int offset = 3;
    const auto f = sk::map(SKELRT_FN_WITH((slope, offset), (float v) {
        const float scaled = slope * v;
        return scaled + static_cast<float>(offset);
    }));
    slope = 100;
    sk::vector<float> y = f(x);
    check_equal(y, expected(n, [&](std::size_t i) { return 2 * a[i] + 3; }));
    for (int k = 0; k < 3; ++k) { // one function, other values
        y = sk::map(SKELRT_FN_WITH((k), (float v) { return v + static_cast<float>(k); }))(x);
        check_equal(y, expected(n, [&](std::size_t i) { return a[i] + static_cast<float>(k); }));
    }
}

TEST_CASE("members, bindings, structs, enumerators and 16 values", "[captures][map]")
{
    const std::size_t n = 1000;
    const auto a = numbers<int>(n);
    const auto x = vector_of(a);
    sk::vector<int> y = sk::map(scaling{7}.function())(x);
    check_equal(y, expected(n, [&](std::size_t i) { return 7 * a[i]; }));
    const auto [low, high] = std::pair(2, std::int64_t{6});
    y = sk::map(SKELRT_FN_WITH((low, high), (int v) {
        return v < low ? low : v > high ? static_cast<int>(high) : v;
    }))(x);
    check_equal(y, expected(n, [&](std::size_t i) { return std::min(std::max(a[i], 2), 6); }));
    const straight l{3, 1};
    const way w = way::down;
    const bool negative = true;
    const unsigned char byte = 200;
    y = sk::map(SKELRT_FN_WITH((l, w, negative, byte), (int v) {
        const int at = static_cast<int>(l.slope) * v + static_cast<int>(l.offset) + byte;
        return w == way::down && negative ? -at : twice(at);
    }))(x);
    check_equal(y, expected(n, [&](std::size_t i) { return -(3 * a[i] + 201); }));
    const int a0 = 1, a1 = 2, a2 = 3, a3 = 4, a4 = 5, a5 = 6, a6 = 7, a7 = 8, a8 = 9, a9 = 10, a10 = 11, a11 = 12,
              a12 = 13, a13 = 14, a14 = 15, a15 = 16;
    y = sk::map(SKELRT_FN_WITH((a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15), (int v) {
        return v + a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10 + a11 + a12 + a13 + a14 - a15;
    }))(x);
    check_equal(y, expected(n, [&](std::size_t i) { return a[i] + 120 - 16; }));
}

TEST_CASE("captured values in functions of any parameters", "[captures]")
{
    const std::size_t rows = 31, cols = 67, n = rows * cols;
    const auto a = numbers<int>(n), b = numbers<int>(cols, 2);
    const auto m = matrix_of(rows, cols, a);
    const auto w = vector_of(b);
    const int k = 5;
    sk::matrix<int> r = sk::map(SKELRT_FN_WITH((k), (sk::index2 i, int v, sk::vec<int> w, int plus) {
        return v * w[i.col] + k * static_cast<int>(i.row) + plus;
    }))(m, w, 9);
    check_equal(r, expected(n, [&](std::size_t i) { return a[i] * b[i % cols] + 5 * static_cast<int>(i / cols) + 9; }));
    r = sk::map(SKELRT_FN_WITH((k), () { return k; }))(sk::shape(rows, cols));
    check_equal(r, std::vector<int>(n, 5));
    r = sk::generate(SKELRT_FN_WITH((k), (sk::index1 i) { return static_cast<int>(i.i) * k; }))(sk::shape(rows, cols));
    check_equal(r, expected(n, [&](std::size_t i) { return static_cast<int>(i) * 5; }));
    const sk::vector<double> d = scaled(sk::vector<double>{1, 2, 3}, 0.5);
    check_equal(d, std::vector<double>{0.5, 1, 1.5});
    const sk::vector<int> whole = scaled(sk::vector<int>{1, 2, 3}, 4);
    check_equal(whole, std::vector<int>{4, 8, 12});
}

TEST_CASE("captured values nest and fuse", "[captures][fusion][reduce]")
{
    const auto n = sizes();
    const auto a = numbers<int>(n);
    const auto x = vector_of(a);
    const int k = 3, p = 4;
    const auto times = sk::map(SKELRT_FN_WITH((k), (int v) { return v * k; }));
    const auto plus = sk::map(SKELRT_FN_WITH((k, p), (int v, int u) { return v + k + p * u; }));
    int want = 0;
    for (const int v : a) want += 3 * v + 3 + 4 * v;
    REQUIRE(sk::reduce(sk::plus, 0)(plus(times(x), x)) == want);
    const sk::vector<int> running = sk::scan(sk::plus)(times(x));
    int so_far = 0;
    check_equal(running, expected(n, [&](std::size_t i) { return so_far += 3 * a[i]; }));
    const sk::vector<int> sorted = sk::sort(times(x));
    auto in_order = a;
    std::sort(in_order.begin(), in_order.end());
    check_equal(sorted, expected(n, [&](std::size_t i) { return 3 * in_order[i]; }));
}

TEST_CASE("captured values in filters, for_each and pairs", "[captures][filter]")
{
    const auto n = sizes();
    const auto a = numbers<int>(n);
    const auto x = vector_of(a);
    const int limit = 4;
    const std::size_t every = 3;
    const sk::vector<int> kept = sk::filter(SKELRT_FN_WITH(
        (limit, every), (sk::index1 i, int v, int more) { return v > limit && i.i % every == 0 && more; }))(x, 1);
    std::vector<int> want;
    for (std::size_t i = 0; i < n; i += 3)
        if (a[i] > 4) want.push_back(a[i]);
    check_equal(kept, want);
    sk::vector<int> bins(10, 1);
    sk::for_each(SKELRT_FN_WITH(
        (limit), (int v, sk::accumulator<int> to) { to.add(static_cast<std::size_t>(v), limit); }))(x, bins);
    std::vector<int> counted(10, 1);
    for (const int v : a) counted[static_cast<std::size_t>(v)] += 4;
    check_equal(bins, counted);
    if (n == 0 || n > 1000) return;
    const auto pairs = sk::map_pairs(SKELRT_FN_WITH((limit), (int v, int u) { return v * u - limit; }));
    const sk::matrix<int> all = pairs(x, x);
    check_equal(all, expected(n * n, [&](std::size_t i) { return a[i / n] * a[i % n] - 4; }));
    const sk::vector<int> sums =
        sk::map_pairs_reduce(SKELRT_FN_WITH((limit), (int v, int u) { return v * u - limit; }), sk::plus, 0)(x, x);
    check_equal(sums, expected(n, [&](std::size_t i) {
                    int s = 0;
                    for (const int u : a) s += a[i] * u - 4;
                    return s;
                }));
    const sk::matrix<int> m(3, n, 2);
    const sk::matrix<int> dots = sk::all_pairs(SKELRT_FN_WITH((limit), (sk::vec<int> p, sk::vec<int> q) {
        int s = limit;
        for (std::size_t i = 0; i < p.size(); ++i) s += p[i] * q[i];
        return s;
    }))(m, m);
    check_equal(dots, std::vector<int>(9, 4 + 4 * static_cast<int>(n)));
}

TEST_CASE("captured values in stencils, once and many times over", "[captures][stencil]")
{
    const std::size_t n = 1000;
    const auto a = numbers<int>(n);
    const auto x = vector_of(a);
    const int w = 2, mask = 0xfff;
    const auto f =
        sk::stencil(SKELRT_FN_WITH((w, mask), (sk::hood1<int> u) { return (w * u(0) + u(-1) + u(1)) & mask; }),
                    sk::border::constant(1));
    const auto step = [&](const std::vector<int>& from) {
        return expected(n, [&](std::size_t i) {
            return (2 * from[i] + (i > 0 ? from[i - 1] : 1) + (i + 1 < n ? from[i + 1] : 1)) & 0xfff;
        });
    };
    sk::vector<int> y = f(x);
    check_equal(y, step(a));
    y = f.iterate(3, x);
    check_equal(y, step(step(step(a))));
    y = f.iterate_until([](const auto&, const auto&, std::size_t made) { return made >= 2; }, 1, x);
    check_equal(y, step(step(a)));
    y = sk::map_overlap(SKELRT_FN_WITH((w), (sk::hood1<int> u, int by) { return w * u(0) + by; }),
                        sk::border::nearest())(x, 7);
    check_equal(y, expected(n, [&](std::size_t i) { return 2 * a[i] + 7; }));
    const std::size_t rows = 20, cols = 50;
    const auto m = matrix_of(rows, cols, a);
    const sk::matrix<int> both =
        sk::stencil(SKELRT_FN_WITH((w), (sk::hood1<int> u) { return w * u(-1); }), sk::border::cyclic()).separable(m);
    check_equal(both, expected(n, [&](std::size_t i) {
                    const std::size_t r = (i / cols + rows - 1) % rows, c = (i % cols + cols - 1) % cols;
                    return 4 * a[r * cols + c];
                }));
}

TEST_CASE("a function with values is called on the host, too", "[captures]")
{
    const int k = 4;
    const auto f = SKELRT_FN_WITH((k), (int v) { return v + k; });
    REQUIRE(f(3) == 7);
}
