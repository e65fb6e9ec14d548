// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

using namespace test;

namespace
{

const auto twice = sk::map(SKELRT_FN((int a) { return 2 * a; }));
const auto add = sk::map(SKELRT_FN((int a, int b) { return a + 10 * b; }));
const auto multiply = sk::map(SKELRT_FN((int a, int b) { return a * b; }));
const auto add_position = sk::map(SKELRT_FN((sk::index1 i, int a) { return a + (int)i.i; }));
const auto sum = sk::reduce(sk::plus, 0);

long total(const std::vector<int>& v)
{
    long t = 0;
    for (const int x : v) t += x;
    return t;
}

} // namespace

TEST_CASE("calls nest three deep", "[fusion]")
{
    const auto n = sizes();
    const auto a = numbers<int>(n, 1), b = numbers<int>(n, 2), c = numbers<int>(n, 3);
    const auto x = vector_of(a), y = vector_of(b), z = vector_of(c);
    const sk::vector<int> r = add(twice(add(x, y)), multiply(twice(z), x));
    check_equal(r, expected(n, [&](std::size_t i) { return 2 * (a[i] + 10 * b[i]) + 10 * (2 * c[i] * a[i]); }));
}

TEST_CASE("one function several times in one call", "[fusion]")
{
    const std::size_t n = 4099;
    const auto a = numbers<int>(n);
    const auto x = vector_of(a);
    const sk::vector<int> y = twice(twice(twice(twice(x))));
    check_equal(y, expected(n, [&](std::size_t i) { return 16 * a[i]; }));
    const sk::vector<int> z = add(add(x, x), add(x, x));
    check_equal(z, expected(n, [&](std::size_t i) { return 121 * a[i]; }));
}

TEST_CASE("fused calls write in place", "[fusion]")
{
    const auto n = sizes();
    const auto a = numbers<int>(n, 1), b = numbers<int>(n, 2);
    auto x = vector_of(a);
    const auto y = vector_of(b);
    x = add(multiply(x, y), twice(x));
    check_equal(x, expected(n, [&](std::size_t i) { return a[i] * b[i] + 20 * a[i]; }));
}

TEST_CASE("positions, uniform values and whole parameters inside a fused call", "[fusion][index][whole]")
{
    const auto scale = sk::map(SKELRT_FN((int by, int a, sk::vec<int> table) { return by * table[a]; }));
    const std::size_t n = 3000;
    const auto a = numbers<int>(n), t = numbers<int>(10, 5);
    const auto x = vector_of(a), table = vector_of(t);
    const sk::scalar<int> ten = 10;
    const sk::vector<int> y = add(add_position(x), scale(ten, x, table));
    check_equal(y, expected(n, [&](std::size_t i) {
                    return a[i] + static_cast<int>(i) + 100 * t[static_cast<std::size_t>(a[i])];
                }));
    const sk::vector<int> z = add_position(scale(3, x, table));
    check_equal(
        z, expected(n, [&](std::size_t i) { return 3 * t[static_cast<std::size_t>(a[i])] + static_cast<int>(i); }));
}

TEST_CASE("shifted views inside a fused call", "[fusion][view]")
{
    const std::size_t n = 2000;
    const auto a = numbers<int>(n);
    auto x = vector_of(a);
    x.range(1, n - 2) = add(add(x.range(0, n - 2), x.range(1, n - 2)), twice(x.range(2, n - 2)));
    check_equal(x, expected(n, [&](std::size_t i) {
                    return i == 0 || i == n - 1 ? a[i] : a[i - 1] + 10 * a[i] + 20 * a[i + 1];
                }));
}

TEST_CASE("map under reduce is one call", "[fusion][reduce]")
{
    const auto n = sizes();
    const auto a = numbers<int>(n, 1), b = numbers<int>(n, 2);
    const auto x = vector_of(a), y = vector_of(b);
    const int dot = sum(multiply(x, y));
    long want = 0;
    for (std::size_t i = 0; i < n; ++i) want += a[i] * b[i];
    REQUIRE(dot == want);
    const int more = sum(add(multiply(x, y), twice(x)));
    REQUIRE(more == want + 20 * total(a));
}

TEST_CASE("reduce of an index-only map", "[fusion][reduce][index]")
{
    const auto n = sizes();
    const auto iota = sk::map(SKELRT_FN((sk::index1 i) { return (long)i.i; }));
    const long got = sk::reduce(sk::plus, 0L)(iota(sk::shape(n)));
    REQUIRE(got == static_cast<long>(n) * (static_cast<long>(n) - 1) / 2);
    const auto area = sk::map(SKELRT_FN((sk::index2 i) { return (long)(i.row * i.col); }));
    const long got2 = sk::reduce(sk::plus, 0L)(area(sk::shape(50, 40)));
    REQUIRE(got2 == 49L * 50 / 2 * (39L * 40 / 2));
}

TEST_CASE("reduce of shifted views", "[fusion][reduce][view]")
{
    const auto square_difference = sk::map(SKELRT_FN((int a, int b) { return (a - b) * (a - b); }));
    const std::size_t n = 5003;
    const auto a = numbers<int>(n);
    const auto x = vector_of(a);
    const int got = sum(square_difference(x.range(1, n - 1), x.range(0, n - 1)));
    int want = 0;
    for (std::size_t i = 0; i + 1 < n; ++i) want += (a[i + 1] - a[i]) * (a[i + 1] - a[i]);
    REQUIRE(got == want);
}

TEST_CASE("a call may be kept and evaluated again with what its operands hold then", "[fusion]")
{
    auto x = vector_of(std::vector<int>{1, 2, 3, 4});
    const auto later = add(x, twice(x));
    sk::vector<int> y = later;
    check_equal(y, std::vector<int>{21, 42, 63, 84});
    {
        auto h = sk::host(x);
        h[0] = 100;
    }
    y = later;
    check_equal(y, std::vector<int>{2100, 42, 63, 84});
}

TEST_CASE("a call keeps its operands alive", "[fusion]")
{
    const auto make = [](std::size_t n) {
        const auto x = vector_of(numbers<int>(n, 1));
        return add(x, twice(vector_of(numbers<int>(n, 2))));
    };
    const std::size_t n = 3000;
    const auto call = make(n);
    const auto a = numbers<int>(n, 1), b = numbers<int>(n, 2);
    const sk::vector<int> y = call;
    check_equal(y, expected(n, [&](std::size_t i) { return a[i] + 20 * b[i]; }));
}

TEST_CASE("without fusion the results are the same", "[fusion]")
{
    const auto add = sk::map(SKELRT_FN((unsigned a, unsigned b) { return a + 3u * b; }));
    const auto numbered = sk::map(SKELRT_FN((sk::index1 i, unsigned a) { return a * 7u + (unsigned)i.i; }));
    const auto placed = sk::map(SKELRT_FN((sk::index2 i) { return (unsigned)(i.row * 1000 + i.col); }));
    const auto total = sk::reduce(sk::plus, 5u);
    const auto running = sk::scan(sk::plus);
    const auto count = sk::for_each(SKELRT_FN((unsigned a, sk::accumulator<unsigned> to) { to.add(a % 13u, 1u); }));
    const std::size_t rows = 37, cols = 53, n = rows * cols;
    const auto a = numbers<unsigned>(n), b = numbers<unsigned>(n, 2);
    std::vector<std::vector<unsigned>> got[2];
    for (const bool fused : {true, false}) {
        const sk::fusion switched(fused);
        auto& all = got[fused];
        const auto x = vector_of(a), y = vector_of(b);
        const auto m = matrix_of(rows, cols, a);
        all.push_back(values(sk::vector<unsigned>(add(numbered(add(x, y)), add(y, numbered(x))))));
        all.push_back(values(sk::matrix<unsigned>(add(m, placed())))); // the shape comes from beside
        sk::matrix<unsigned> r(rows, cols);
        r = add(placed(), numbered(placed())); // and from the destination
        all.push_back(values(r));
        r.sub(1, 2, 10, 20) = add(placed(), add(m.sub(0, 0, 10, 20), r.sub(1, 2, 10, 20)));
        all.push_back(values(r));
        all.push_back({total(add(x, numbered(y))).get()});
        all.push_back(values(sk::vector<unsigned>(total.by_row(add(m, placed())))));
        all.push_back(values(sk::vector<unsigned>(total.by_column(add(m, add(m, placed()))))));
        all.push_back(values(sk::vector<unsigned>(running(add(x, numbered(y))))));
        sk::vector<unsigned> counts(13, 0);
        count(add(x, add(y, x)), counts);
        all.push_back(values(counts));
        const auto spread =
            sk::stencil(SKELRT_FN((sk::hood1<unsigned> u) { return u(-1) + 5u * u(2); }), sk::border::nearest());
        all.push_back(values(sk::vector<unsigned>(add(spread(add(x, numbered(y))), numbered(x)))));
    }
    for (std::size_t k = 0; k < got[0].size(); ++k) {
        CAPTURE(k);
        check_equal(got[0][k], got[1][k]);
    }
    check_equal(got[0][0], expected(n, [&](std::size_t i) {
                    const auto p = static_cast<unsigned>(i);
                    return (a[i] + 3 * b[i]) * 7 + p + 3 * (b[i] + 3 * (a[i] * 7 + p));
                }));
}
