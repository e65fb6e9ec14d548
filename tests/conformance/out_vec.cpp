// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

using namespace test;

// Functions write a whole vector at any index; no two write one element.

SKELRT_SHARED(struct written_point {
    float x, y;
    int tag;
};)
SKELRT_SHARED(struct written_bytes { unsigned char b[3]; };)

static bool operator==(const written_point& a, const written_point& b)
{
    return a.x == b.x && a.y == b.y && a.tag == b.tag;
}
static bool operator==(const written_bytes& a, const written_bytes& b)
{
    return a.b[0] == b.b[0] && a.b[1] == b.b[1] && a.b[2] == b.b[2];
}

namespace
{

/// A permutation of 0 .. n - 1: the sizes here are no multiples of the factor.
std::vector<unsigned> permutation(std::size_t n)
{
    return expected(n, [&](std::size_t i) { return static_cast<unsigned>(i * 7919 % n); });
}

} // namespace

TEST_CASE("elements written by index, the others stay", "[out_vec]")
{
    const auto n = sizes();
    const auto a = numbers<int>(n);
    const auto to = permutation(n);
    const auto x = vector_of(a);
    const auto at = vector_of(to);
    // A vector of n + 5 elements, of which the first two and the last three stay.
    const auto want = [&]<class T>(T before, auto value) {
        std::vector<T> all(n + 5, before);
        for (std::size_t i = 0; i < n; ++i) all[to[i] + 2] = value(a[i]);
        return all;
    };
    sk::vector<int> whole(n + 5, 77);
    sk::for_each(SKELRT_FN((int v, unsigned i, sk::out_vec<int> y) { y.set(i + 2, v); }))(x, at, whole);
    check_equal(whole, want(77, [](int v) { return v; }));
    sk::vector<double> wide(n + 5, 0.5);
    sk::for_each(SKELRT_FN((int v, unsigned i, sk::out_vec<double> y) { y.set(i + 2, v * 0.25); }))(x, at, wide);
    check_equal(wide, want(0.5, [](int v) { return v * 0.25; }));
    sk::vector<unsigned char> bytes(n + 5, 200);
    sk::for_each(SKELRT_FN((int v, unsigned i, sk::out_vec<unsigned char> y) { y.set(i + 2, (unsigned char)v); }))(
        x, at, bytes);
    check_equal(bytes, want(static_cast<unsigned char>(200), [](int v) { return static_cast<unsigned char>(v); }));
    sk::vector<bool> flags(n + 5, true);
    sk::for_each(SKELRT_FN((int v, unsigned i, sk::out_vec<bool> y) { y.set(i + 2, v > 4); }))(x, at, flags);
    check_equal(flags, want(true, [](int v) { return v > 4; }));
}

TEST_CASE("structs written by index", "[out_vec]")
{
    const auto n = sizes();
    const auto a = numbers<int>(n);
    const auto to = permutation(n);
    const auto x = vector_of(a);
    const auto at = vector_of(to);
    sk::vector<written_point> points(n + 1, written_point{1, 2, 3});
    sk::for_each(SKELRT_FN((sk::index1 p, int v, unsigned i, sk::out_vec<written_point> y) {
        written_point q;
        q.x = v;
        q.y = -v;
        q.tag = (int)p.i;
        y.set(i, q);
    }))(x, at, points);
    std::vector<written_point> want(n + 1, written_point{1, 2, 3});
    for (std::size_t i = 0; i < n; ++i)
        want[to[i]] = {static_cast<float>(a[i]), static_cast<float>(-a[i]), static_cast<int>(i)};
    check_equal(points, want);
    sk::vector<written_bytes> small(n + 1, written_bytes{{9, 9, 9}});
    sk::for_each(SKELRT_FN((int v, unsigned i, sk::out_vec<written_bytes> y) {
        written_bytes q;
        for (int k = 0; k < 3; ++k) q.b[k] = (unsigned char)(v + k);
        y.set(y.size() - 1 - i, q);
    }))(x, at, small);
    std::vector<written_bytes> mirrored(n + 1, written_bytes{{9, 9, 9}});
    for (std::size_t i = 0; i < n; ++i)
        for (int k = 0; k < 3; ++k) mirrored[n - to[i]].b[k] = static_cast<unsigned char>(a[i] + k);
    check_equal(small, mirrored);
}

TEST_CASE("several elements a position, parts, matrices and fused operands are written", "[out_vec]")
{
    const std::size_t n = 5003;
    const auto a = numbers<int>(n);
    const auto x = vector_of(a);
    const auto twice = sk::map(SKELRT_FN((int v) { return 2 * v; }));
    sk::vector<long> y(2 * n + 20, -1);
    const auto both = sk::for_each(SKELRT_FN((sk::index1 p, int v, sk::out_vec<long> y) {
        y.set(2 * p.i, v);
        if (v % 3 != 0) y.set(2 * p.i + 1, -v);
    }));
    both(twice(x), y.range(7, 2 * n));
    std::vector<long> want(2 * n + 20, -1);
    for (std::size_t i = 0; i < n; ++i) {
        want[7 + 2 * i] = 2 * a[i];
        if (a[i] % 3 != 0) want[7 + 2 * i + 1] = -2 * a[i];
    }
    check_equal(y, want);
    // Transposition.
    sk::matrix<int> m(60, 90, 0);
    sk::for_each(SKELRT_FN((sk::index2 i, int by, sk::out_vec<int> t) {
        t.set(i.col * 60 + i.row, by * (int)(i.row * 90 + i.col));
    }))(sk::shape(60, 90), 3, m);
    check_equal(m, expected(60 * 90, [](std::size_t i) { return static_cast<int>(3 * (i % 60 * 90 + i / 60)); }));
    sk::vector<int> none(0, 0), few(3, 5);
    sk::for_each(SKELRT_FN((int v, sk::out_vec<int> y) { y.set(0, v); }))(none, few);
    check_equal(few, std::vector<int>(3, 5));
    sk::for_each(SKELRT_FN((int v, sk::out_vec<int> y) {
        if (v > 100) y.set(0, v);
    }))(x, none);
    REQUIRE(values(none).empty());
}

TEST_CASE("an out_vec in a chain of calls", "[out_vec][asynchronous]")
{
    const std::size_t n = 20'000;
    const auto a = numbers<int>(n);
    auto x = vector_of(a);
    const auto add = sk::map(SKELRT_FN((int p, int q) { return p + q; }));
    const auto turn =
        sk::for_each(SKELRT_FN((sk::index1 i, int v, sk::out_vec<int> y) { y.set(y.size() - 1 - i.i, v); }));
    sk::vector<int> y(n, 0);
    for (int k = 0; k < 3; ++k) {
        turn(x, y);
        x = add(y, y); // does not overtake the call that writes y
    }
    check_equal(x, expected(n, [&](std::size_t i) { return 8 * a[n - 1 - i]; }));
}
