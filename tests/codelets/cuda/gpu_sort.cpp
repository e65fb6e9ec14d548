// SPDX-License-Identifier: BSD-3-Clause
#include "../recipes.hpp"
#include "device.hpp"
#include "types.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

using namespace recipes;
using device::buffer;
using device::call;
using device::flat;
using device::matrix;

namespace
{

const auto half = USER_FUNCTION((float x) { return x * 0.5f; });
const auto lighter = USER_FUNCTION((body a, body b) { return a.mass < b.mass; });
const auto greater = USER_FUNCTION((auto a, auto b) { return b < a; });
const auto by_x = USER_FUNCTION((point a, point b) { return a.x < b.x; });

constexpr std::size_t all_sizes[] = {1, 2, 7, 8, 9, 255, 2047, 2048, 2049, 4097, 100'003, 3'000'017};

template <class T>
std::vector<T> scattered(std::size_t n)
{
    std::mt19937_64 random{n};
    std::vector<T> all(n);
    for (T& x : all) {
        const auto bits = static_cast<std::int64_t>(random());
        x = static_cast<T>(std::is_floating_point_v<T> ? bits >> 40 : bits);
    }
    return all;
}

template <class T>
class sort_of : public builder
{
public:
    explicit sort_of(const char* name) : builder(skeleton::sort, name)
    {
        slots({element<T>(), element<T>()}).template result<T>();
    }
};

template <class T>
void sort_all(const recipe& what, std::size_t n, auto before)
{
    CAPTURE(n, what.result);
    auto x = scattered<T>(n);
    const buffer<T> dx(x), dy(n, T{});
    call(what, n).add({1, n, 0, 0}, {flat(dx.data(), n), flat(dy.data(), n)}).run();
    CHECK(dx.read() == x);
    std::sort(x.begin(), x.end(), before);
    CHECK(dy.read() == x);
    call(what, n).add({1, n, 0, 0}, {flat(dx.data(), n), flat(dx.data(), n)}).run(); // in place
    CHECK(dx.read() == x);
}

/// Cuts [0, n) into segments of very different sizes.
template <class Add>
void in_segments(std::size_t n, Add add)
{
    for (std::size_t first = 0, s = 0; first < n; ++s) {
        const std::size_t size = std::min(n - first, s * s % 30'011 + 17);
        add(first, size);
        first += size;
    }
}

} // namespace

TEMPLATE_TEST_CASE("sort: numbers of all kinds", "[cuda][gpu]", int, unsigned, long, unsigned long, float, double,
                   short, unsigned char)
{
    const sort_of<TestType> b("numbers");
    for (const std::size_t n : all_sizes) sort_all<TestType>(b.get(), n, std::less<TestType>());
}

TEMPLATE_TEST_CASE("sort: numbers in the order of a comparator", "[cuda][gpu]", int, double, short)
{
    sort_of<TestType> b("descending");
    b.combine(greater);
    for (const std::size_t n : all_sizes) sort_all<TestType>(b.get(), n, std::greater<TestType>());
}

TEST_CASE("sort: large structs, stable, many segments", "[cuda][gpu]")
{
    sort_of<body> b("bodies");
    b.combine(lighter);
    for (const std::size_t n : {1, 100, 511, 513, 70'001}) {
        CAPTURE(n);
        std::vector<body> x(n);
        for (std::size_t i = 0; i < n; ++i) {
            x[i].mass = double(i * 7919 % 101);
            x[i].id[0] = int(i);
        }
        const buffer<body> dx(x), dy(n, body{});
        call c(b.get(), n);
        in_segments(n, [&](std::size_t first, std::size_t size) {
            c.add({1, size, 0, first}, {flat(dx.data() + first, size), flat(dy.data() + first, size)});
        });
        c.run();
        std::stable_sort(x.begin(), x.end(), lighter.call);
        const auto y = dy.read();
        CHECK(std::equal(x.begin(), x.end(), y.begin(),
                         [](const body& a, const body& o) { return a.mass == o.mass && a.id[0] == o.id[0]; }));
    }
}

TEST_CASE("sort: a map in front, strided operands and results, many segments", "[cuda][gpu]")
{
    builder b(skeleton::sort, "halves");
    b.slots({element<float>(), element<float>()}).call<float>(half, {operand(0)}).result<float>();
    const std::size_t n = 400'009;
    const auto x = scattered<float>(2 * n);
    const buffer<float> dx(x), dy(3 * n, -1.0f);
    call c(b.get(), n);
    in_segments(n, [&](std::size_t first, std::size_t size) {
        c.add({1, size, 0, first}, {matrix(dx.data() + 2 * first, 1, size, 2 * size, 2),
                                    matrix(dy.data() + 3 * first, 1, size, 3 * size, 3)});
    });
    c.run();
    std::vector<float> want(n);
    for (std::size_t i = 0; i < n; ++i) want[i] = x[2 * i] * 0.5f;
    std::sort(want.begin(), want.end());
    const auto y = dy.read();
    bool equal = true;
    for (std::size_t i = 0; i < n; ++i) equal = equal && y[3 * i] == want[i] && y[3 * i + 1] == -1.0f;
    CHECK(equal);
}

TEST_CASE("sort by key: radix and merge, stable, in place", "[cuda][gpu]")
{
    builder numbers(skeleton::sort, "by key"), points(skeleton::sort, "by point");
    numbers.slots({element<int>(), element<double>(), slot<double>(slot_kind::output), element<int>()}).result<int>();
    points.slots({element<point>(), element<int>(), slot<int>(slot_kind::output), element<point>()})
        .combine(by_x)
        .result<point>();
    for (const std::size_t n : all_sizes) {
        CAPTURE(n);
        std::vector<int> k(n), number(n);
        std::vector<double> v(n);
        std::vector<point> p(n);
        for (std::size_t i = 0; i < n; ++i) {
            k[i] = int(i * 7919 % 1009) - 500;
            v[i] = double(i) + 0.25;
            p[i] = {float(i * 31 % 257), 0, float(i)};
            number[i] = int(i);
        }
        const buffer<int> dk(k), dn(number);
        const buffer<double> dv(v);
        const buffer<point> dp(p);
        call c(numbers.get(), n), d(points.get(), n);
        in_segments(n, [&](std::size_t first, std::size_t size) {
            const segment where{1, size, 0, first};
            const slot_view keys = flat(dk.data() + first, size), values = flat(dv.data() + first, size);
            c.add(where, {keys, values, values, keys});
            const slot_view at = flat(dp.data() + first, size), numbers_at = flat(dn.data() + first, size);
            d.add(where, {at, numbers_at, numbers_at, at});
        });
        c.run();
        d.run();
        std::stable_sort(number.begin(), number.end(), [&](int a, int b) { return k[size_t(a)] < k[size_t(b)]; });
        const auto got_k = dk.read();
        const auto got_v = dv.read();
        bool equal = true;
        for (std::size_t i = 0; i < n; ++i)
            equal = equal && got_k[i] == k[size_t(number[i])] && got_v[i] == double(number[i]) + 0.25;
        CHECK(equal);
        std::iota(number.begin(), number.end(), 0);
        std::stable_sort(number.begin(), number.end(), [&](int a, int b) { return p[size_t(a)].x < p[size_t(b)].x; });
        CHECK(dn.read() == number);
        const auto got_p = dp.read();
        equal = true;
        for (std::size_t i = 0; i < n; ++i) equal = equal && got_p[i].z == float(number[i]);
        CHECK(equal);
    }
}

TEMPLATE_TEST_CASE("sort: zeros of both signs are equal, and NaNs are behind all numbers", "[cuda][gpu]", float, double)
{
    using T = TestType;
    const sort_of<T> b("numbers");
    sort_of<T> merged("numbers by merging");
    const auto numbers_first = USER_FUNCTION((auto a, auto b) { return a < b || (b != b && a == a); });
    merged.combine(numbers_first);
    const std::size_t n = 300'007;
    constexpr T infinity = std::numeric_limits<T>::infinity();
    std::vector<T> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = i % 3 ? T(i * 7919 % 1001) - 500 : i % 2 ? T(0) : T(-0.0);
    for (std::size_t i = 0; i < n; i += 1000) x[i] = T(i % 2000 ? NAN : -NAN);
    x[1] = infinity, x[2] = -infinity;
    for (const recipe* what : {&b.get(), &merged.get()}) {
        const buffer<T> dx(x);
        call(*what, n).add({1, n, 0, 0}, {flat(dx.data(), n), flat(dx.data(), n)}).run();
        const auto y = dx.read();
        const auto last = std::find_if(y.begin(), y.end(), [](T f) { return std::isnan(f); });
        CHECK(std::is_sorted(y.begin(), last));
        CHECK((y.front() == -infinity && last[-1] == infinity));
        CHECK(std::all_of(last, y.end(), [](T f) { return std::isnan(f); }));
        CHECK(std::size_t(last - y.begin()) == n - (n + 999) / 1000);
        const auto with_sign = [](const std::vector<T>& all) {
            return std::count_if(all.begin(), all.end(), [](T f) { return std::isnan(f) && std::signbit(f); });
        };
        const auto negative_zeros = [](const std::vector<T>& all) {
            return std::count_if(all.begin(), all.end(), [](T f) { return f == 0 && std::signbit(f); });
        };
        CHECK(with_sign(y) == with_sign(x));
        CHECK(negative_zeros(y) == negative_zeros(x));
    }
}
