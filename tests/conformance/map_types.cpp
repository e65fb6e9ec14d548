// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

using namespace test;

SKELRT_SHARED(struct pixel { unsigned char r, g, b; };)

SKELRT_SHARED(struct point { float x, y, z; };)

SKELRT_SHARED(
    struct particle {
        double x, y, z;
        float mass;
        int kind;
        long steps;
        unsigned char flags[8];
    };

    inline float norm2(float x, float y, float z) { return x * x + y * y + z * z; }

    inline float norm2_of(point p) { return norm2(p.x, p.y, p.z); })

static_assert(sizeof(pixel) == 3 && sizeof(point) == 12 && sizeof(particle) == 48);

static bool operator==(const pixel& a, const pixel& b) { return a.r == b.r && a.g == b.g && a.b == b.b; }
static bool operator==(const point& a, const point& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

namespace
{

// Generic: each instance returns the type that it gets, small integers included.
const auto add_up = sk::map(SKELRT_FN((auto a, auto b) {
    a += b;
    return a;
}));
const auto smaller = sk::reduce(sk::minimum);

} // namespace

TEMPLATE_TEST_CASE("map and reduce of every arithmetic type", "[map][reduce][types]", char, signed char, unsigned char,
                   short, unsigned short, int, unsigned, long, unsigned long, float, double)
{
    const auto n = GENERATE(as<std::size_t>(), 1, 1000, 20011);
    const auto a = numbers<TestType>(n, 1), b = numbers<TestType>(n, 2);
    const auto x = vector_of(a), y = vector_of(b);
    const sk::vector<TestType> z = add_up(x, y);
    check_equal(z, expected(n, [&](std::size_t i) { return static_cast<TestType>(a[i] + b[i]); }));
    const TestType least = smaller(z);
    TestType want = static_cast<TestType>(a[0] + b[0]);
    for (std::size_t i = 0; i < n; ++i) want = std::min(want, static_cast<TestType>(a[i] + b[i]));
    REQUIRE(least == want);
}

TEST_CASE("types mix within one call", "[map][types]")
{
    const std::size_t n = 3001;
    const auto a = numbers<unsigned char>(n, 1);
    const auto b = numbers<double>(n, 2);
    const auto c = numbers<short>(n, 3);
    const auto mix = sk::map(SKELRT_FN((unsigned char a, double b, short c) { return a + 2 * b + 3 * c; }));
    const sk::vector<double> y = mix(vector_of(a), vector_of(b), vector_of(c));
    check_equal(y, expected(n, [&](std::size_t i) { return a[i] + 2 * b[i] + 3 * c[i]; }));
}

TEST_CASE("large 64-bit values survive", "[map][types]")
{
    const std::size_t n = 999;
    const auto add_big = sk::map(SKELRT_FN((sk::index1 i, long base) { return base + (long)i.i; }));
    sk::vector<long> y(n);
    const long base = 9'000'000'000'000'000'000L;
    y = add_big(base);
    check_equal(y, expected(n, [&](std::size_t i) { return base + static_cast<long>(i); }));
}

TEST_CASE("structs of 3 bytes", "[map][types][struct]")
{
    const auto n = sizes();
    const auto invert = sk::map(SKELRT_FN((pixel p) {
        pixel q;
        q.r = 255 - p.r;
        q.g = 255 - p.g;
        q.b = p.r;
        return q;
    }));
    const auto in = expected(n, [](std::size_t i) {
        return pixel{static_cast<unsigned char>(i), static_cast<unsigned char>(i / 3),
                     static_cast<unsigned char>(i / 7)};
    });
    auto x = vector_of(in);
    x = invert(x);
    check_equal(
        x, expected(n, [&](std::size_t i) {
            return pixel{static_cast<unsigned char>(255 - in[i].r), static_cast<unsigned char>(255 - in[i].g), in[i].r};
        }));
}

TEST_CASE("structs of 12 bytes, from parts and into parts", "[map][types][struct]")
{
    const auto n = sizes();
    const auto a = numbers<float>(n, 1), b = numbers<float>(n, 2), c = numbers<float>(n, 3);
    const auto make = sk::map(SKELRT_FN((float x, float y, float z) {
        point p;
        p.x = x;
        p.y = y;
        p.z = z;
        return p;
    }));
    const auto length = sk::map(SKELRT_FN((point p) { return norm2_of(p); }));
    const auto move = sk::map(SKELRT_FN((point p, point by) {
        p.x += by.x;
        p.y += by.y;
        p.z += by.z;
        return p;
    }));
    sk::vector<point> p = make(vector_of(a), vector_of(b), vector_of(c));
    p = move(p, point{1, 2, 3}); // a struct as uniform value
    check_equal(p, expected(n, [&](std::size_t i) { return point{a[i] + 1, b[i] + 2, c[i] + 3}; }));
    const sk::vector<float> d = length(p);
    check_equal(d, expected(n, [&](std::size_t i) { return norm2(a[i] + 1, b[i] + 2, c[i] + 3); }));
}

TEST_CASE("structs of 48 bytes with members of many types", "[map][types][struct]")
{
    const auto n = sizes();
    const auto step = sk::map(SKELRT_FN((particle p, double by) {
        p.x += by;
        p.z = p.x + p.y;
        p.kind = p.kind + 1;
        p.steps = p.steps + 1;
        p.flags[7] = (unsigned char)(p.flags[0] + 1);
        return p;
    }));
    const auto in = expected(n, [](std::size_t i) {
        const auto v = static_cast<double>(i);
        return particle{v,
                        2,
                        0,
                        1.5f,
                        static_cast<int>(i % 5),
                        1L << 40,
                        {static_cast<unsigned char>(i % 200), 0, 0, 0, 0, 0, 0, 0}};
    });
    auto x = vector_of(in);
    for (int k = 0; k < 3; ++k) x = step(x, 0.5);
    const auto got = values(x);
    REQUIRE(got.size() == n);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const auto v = static_cast<double>(i) + 1.5;
        const particle& p = got[i];
        if (p.x != v || p.y != 2 || p.z != v + 2 || p.mass != 1.5f || p.kind != static_cast<int>(i % 5) + 3 ||
            p.steps != (1L << 40) + 3 || p.flags[0] != i % 200 || p.flags[7] != i % 200 + 1)
            ++wrong;
    }
    REQUIRE(wrong == 0);
}

TEST_CASE("a struct in an sk::scalar", "[map][types][struct][scalar]")
{
    const std::size_t n = 777;
    const auto a = numbers<float>(n);
    const sk::scalar<point> offset(point{1, 10, 100});
    const auto shift = sk::map(SKELRT_FN((float v, point o) { return v + norm2_of(o); }));
    const sk::vector<float> y = shift(vector_of(a), offset);
    check_equal(y, expected(n, [&](std::size_t i) { return a[i] + 10101; }));
}

TEST_CASE("casts and mathematics are the same on every device", "[map][types]")
{
    const std::size_t n = 2000;
    const auto a = numbers<float>(n);
    const auto f = sk::map(SKELRT_FN((float x) { return static_cast<int>(fabsf(x - 5.0f)) + (x > 4 ? int(x) : 0); }));
    const sk::vector<int> y = f(vector_of(a));
    check_equal(y, expected(n, [&](std::size_t i) {
                    return std::abs(static_cast<int>(a[i]) - 5) + (a[i] > 4 ? static_cast<int>(a[i]) : 0);
                }));
    const auto root = sk::map(SKELRT_FN((double x) { return sqrt(x * x); }));
    const auto b = numbers<double>(n);
    const sk::vector<double> z = root(vector_of(b));
    const auto got = values(z);
    for (std::size_t i = 0; i < n; ++i) REQUIRE(got[i] == Approx(b[i]));
}
