// SPDX-License-Identifier: BSD-3-Clause
#include "names.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <type_traits>

using namespace test;

/// What names mean on a device: the same as on the host, or a refusal.

namespace metric
{
SKELRT_SHARED(
    constexpr float factor = 2; struct point { float x; };
    inline float length(point p) { return p.x * factor; } enum class kind
    : int{small = 1, large = 7};
    enum level
    : int{low = 3, high = 4};)
} // namespace metric

namespace imperial
{
SKELRT_SHARED(
    constexpr float factor = 3; struct point { float x, y; };
    inline float length(point p) { return (p.x + p.y) * factor; })
} // namespace imperial

namespace metric
{
namespace
{
namespace deep
{
const auto scale = sk::map(SKELRT_FN((float v) { return v * factor; }));
const auto make = sk::map(SKELRT_FN((float v) { return point{v}; }));
const auto measure = sk::map(SKELRT_FN((point p) { return length(p); }));
const auto imperial_scale = sk::map(SKELRT_FN((float v) { return v * imperial::factor + factor; }));
const auto levels = sk::map(SKELRT_FN((int i) { return i + int(kind::large) + low + level::high; }));
} // namespace deep
} // namespace
} // namespace metric

namespace imperial
{
namespace
{
const auto make = sk::map(SKELRT_FN((float v) { return point{v, 1}; }));
const auto measure = sk::map(SKELRT_FN((point p) { return length(p); }));
const auto both = sk::map(SKELRT_FN((point p, metric::point q) { return length(p) + metric::length(q); }));
} // namespace
} // namespace imperial

namespace
{

std::vector<float> small_numbers(std::size_t n)
{
    return expected(n, [](std::size_t i) { return static_cast<float>(i % 64); });
}

} // namespace

TEST_CASE("a name is looked up from the function's namespace outwards", "[names]")
{
    const auto n = GENERATE(as<std::size_t>(), 1, 1000, 20011);
    const auto a = small_numbers(n);
    const auto x = vector_of(a);
    const sk::vector<float> y = metric::deep::scale(x), z = metric::deep::imperial_scale(x);
    check_equal(y, expected(n, [&](std::size_t i) { return a[i] * 2; }));
    check_equal(z, expected(n, [&](std::size_t i) { return a[i] * 3 + 2; }));
}

TEST_CASE("structs of one name in two namespaces are element types both", "[names][types]")
{
    const std::size_t n = 3001;
    const auto a = small_numbers(n);
    const auto x = vector_of(a);
    const sk::vector<metric::point> p = metric::deep::make(x);
    const sk::vector<imperial::point> q = imperial::make(x);
    const sk::vector<float> y = metric::deep::measure(p), z = imperial::measure(q), both = imperial::both(q, p);
    check_equal(y, expected(n, [&](std::size_t i) { return a[i] * 2; }));
    check_equal(z, expected(n, [&](std::size_t i) { return (a[i] + 1) * 3; }));
    check_equal(both, expected(n, [&](std::size_t i) { return (a[i] + 1) * 3 + a[i] * 2; }));
}

TEST_CASE("enumerators, qualified and not", "[names][types]")
{
    const std::size_t n = 1000;
    const auto a = numbers<int>(n, 1);
    const auto x = vector_of(a);
    const sk::vector<int> y = metric::deep::levels(x);
    check_equal(y, expected(n, [&](std::size_t i) { return a[i] + 7 + 3 + 4; }));
}

TEST_CASE("source files of one name have constants and structs of their own", "[names]")
{
    const std::size_t n = 1000;
    const auto a = small_numbers(n);
    const auto x = vector_of(a);
    check_equal(scaled_by_one(x), expected(n, [&](std::size_t i) { return (a[i] * 3 + 3) * 3; }));
    check_equal(scaled_by_two(x), expected(n, [&](std::size_t i) { return (a[i] * 5 + 5) * 3; }));
}

namespace
{

template <class T>
sk::vector<T> halves_of(const sk::vector<T>& x)
{
    using real = T;
    const auto f = sk::map(SKELRT_FN((real v, const sk::vec<real>& all) {
        const T half = v / 2;
        real sum = half + all[0];
        return sum;
    }));
    return f(x, x);
}

#define NAMES_SQUARE(x) ((x) * (x))
#define NAMES_OFFSET 5

} // namespace

TEST_CASE("aliases and template parameters are what the host's compiler knows", "[names][types]")
{
    const std::size_t n = 1000;
    const auto a = small_numbers(n);
    check_equal(halves_of(vector_of(a)), expected(n, [&](std::size_t i) { return a[i] / 2 + a[0]; }));
    const auto b = expected(n, [](std::size_t i) { return static_cast<unsigned>(i) + 1; });
    check_equal(halves_of(vector_of(b)), expected(n, [&](std::size_t i) { return b[i] / 2 + b[0]; }));
}

TEST_CASE("macros of the user", "[names]")
{
    const std::size_t n = 1000;
    const auto a = numbers<int>(n, 1);
    const auto f = sk::map(SKELRT_FN((int v) { return NAMES_SQUARE(v % 100 + NAMES_OFFSET); }));
    const sk::vector<int> y = f(vector_of(a));
    check_equal(y, expected(n, [&](std::size_t i) { return (a[i] % 100 + 5) * (a[i] % 100 + 5); }));
    const auto g = sk::map(SKELRT_FN((float v) { return v < 0 ? -INFINITY : v < 32 ? FLT_MAX : INFINITY; }));
    const auto b = small_numbers(n);
    const sk::vector<float> z = g(vector_of(b));
    check_equal(z, expected(n, [&](std::size_t i) { return b[i] < 32 ? FLT_MAX : INFINITY; }));
}

TEST_CASE("a literal has the type that C++ gives it", "[names][types]")
{
    const std::size_t n = 1000;
    const auto a = expected(n, [](std::size_t i) { return static_cast<unsigned>(i * 2654435761u); });
    // A long shifted right would bring ones from above.
    const auto f = sk::map(SKELRT_FN((unsigned v) { return (v ^ 0b1111'1111'1111'1111'1111'1111'1111'1111) / 2; }));
    const auto g = sk::map(SKELRT_FN((unsigned v) {
        return unsigned(sizeof(v ^ 0xffffffff) + sizeof(4294967295) + sizeof(037777777777) + sizeof(0b1));
    }));
    const auto x = vector_of(a);
    const sk::vector<unsigned> y = f(x), z = g(x);
    check_equal(y, expected(n, [&](std::size_t i) { return ~a[i] / 2; }));
    check_equal(z, std::vector<unsigned>(n, 4 + 8 + 4 + 4));
}

TEST_CASE("a binary & has elements of containers on its right", "[names]")
{
    const std::size_t n = 1000;
    const auto a = expected(n, [](std::size_t i) { return static_cast<unsigned>(i) * 7; });
    const auto x = vector_of(a);
    const auto f =
        sk::map(SKELRT_FN((unsigned v, sk::vec<unsigned> w) { return (v & w[3]) + ((v + 1) & w[5]) + (w[1] & w[2]); }));
    const sk::vector<unsigned> y = f(x, x);
    check_equal(y, expected(n, [&](std::size_t i) { return (a[i] & a[3]) + ((a[i] + 1) & a[5]) + (a[1] & a[2]); }));
    const auto g =
        sk::stencil(SKELRT_FN((sk::hood1<unsigned> u) { return (u(-1) + 1) & u(0); }), sk::border::constant(0u));
    const sk::vector<unsigned> z = g(x);
    check_equal(z, expected(n, [&](std::size_t i) { return ((i > 0 ? a[i - 1] : 0) + 1) & a[i]; }));
}

TEST_CASE("functions of <cmath> of floats are floats, of integers doubles", "[names][types]")
{
    static_assert(std::is_same_v<decltype(sqrt(1.0f)), float> && std::is_same_v<decltype(fabs(1.0f)), float> &&
                  std::is_same_v<decltype(exp(1.0f)), float>);
    const std::size_t n = 1000;
    const auto a = expected(n, [](std::size_t i) { return static_cast<int>(i); });
    const auto x = vector_of(a);
    const auto f = sk::map(SKELRT_FN((int i) { return sqrt(i * i) + pow(i, 2) + std::fmax(i, 2) + floor(i); }));
    const sk::vector<double> y = f(x);
    const auto got = values(y);
    for (std::size_t i = 0; i < n; ++i) {
        const double d = static_cast<double>(i), want = d + d * d + std::max(d, 2.0) + d;
        REQUIRE(std::abs(got[i] - want) <= 1e-12 * want);
    }
    // 2^24 + 1 is no float.
    const auto g = sk::map(SKELRT_FN((int i) { return fabs(i + 16777217) - 16777216.0; }));
    const sk::vector<double> z = g(x);
    check_equal(z, expected(n, [&](std::size_t i) { return static_cast<double>(i) + 1; }));
    const auto h = sk::map(SKELRT_FN((float v) { return sizeof(sqrt(v)) + sizeof(pow(v, 2)) + sizeof(pow(v, 2.0f)); }));
    const sk::vector<unsigned long> w = h(vector_of(small_numbers(n)));
    check_equal(w, std::vector<unsigned long>(n, 4 + 8 + 4));
}

namespace own
{
SKELRT_SHARED(
    inline float round(float x) { return x + 100; } inline float max(float a, float b) {
        return a - b;
    } inline float fabs(float x) { return x + 0.5f; })

namespace
{
const auto f = sk::map(SKELRT_FN((float v) { return round(v) + max(v, 2.0f) + fabs(v); }));
const auto g = sk::map(SKELRT_FN((float v) { return std::round(v + 0.75f) + std::max(v, 2.0f); }));
} // namespace
} // namespace own

TEST_CASE("round, max and fabs of the user's", "[names]")
{
    const std::size_t n = 1000;
    const auto a = small_numbers(n);
    const auto x = vector_of(a);
    const sk::vector<float> y = own::f(x), z = own::g(x);
    check_equal(y, expected(n, [&](std::size_t i) { return a[i] + 100 + (a[i] - 2) + (a[i] + 0.5f); }));
    check_equal(z, expected(n, [&](std::size_t i) { return a[i] + 1 + std::max(a[i], 2.0f); }));
}

SKELRT_SHARED(
    struct float4 { float v; }; inline float4 names_wrapped(float v) { return float4{v}; })

TEST_CASE("structs that have the name of a type of the device's language", "[names][types]")
{
    const std::size_t n = 1000;
    const auto a = small_numbers(n);
    const auto f = sk::map(SKELRT_FN((float v) { return names_wrapped(v + 1); }));
    const auto g = sk::map(SKELRT_FN((const ::float4& v) { return v.v + ::names_wrapped(2).v; }));
    const sk::vector<float4> y = f(vector_of(a));
    const sk::vector<float> z = g(y);
    check_equal(z, expected(n, [&](std::size_t i) { return a[i] + 3; }));
}
