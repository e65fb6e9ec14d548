// SPDX-License-Identifier: BSD-3-Clause
#include "../recipes.hpp"
#include "device.hpp"
#include "types.hpp"

#include <numeric>
#include <random>

using namespace recipes;
using device::buffer;
using device::call;
using device::flat;

namespace
{

template <class T>
std::vector<T> numbers(std::size_t n, unsigned seed = 1)
{
    std::mt19937 random{seed};
    std::vector<T> all(n);
    for (T& x : all) x = static_cast<T>(random() % 1000) / T{8};
    return all;
}

template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b)
{
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

const auto saxpy = USER_FUNCTION((float a, float x, float y) { return a * x + y; });

const recipe& saxpy_recipe()
{
    static const auto& b = (new builder(skeleton::map, "saxpy"))
                               ->slots({uniform<float>(), element<float>(), element<float>(), element<float>()})
                               .call<float>(saxpy, {operand(0), operand(1), operand(2)})
                               .result<float>();
    return b.get();
}

std::vector<float> saxpy_reference(float a, const std::vector<float>& x, const std::vector<float>& y)
{
    std::vector<float> z(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) z[i] = a * x[i] + y[i]; // exact: the numbers are short
    return z;
}

} // namespace

TEST_CASE("map: sizes and alignments", "[cuda][gpu]")
{
    const float a = 0.5f;
    for (const std::size_t n : {0, 1, 2, 3, 4, 5, 31, 255, 1000, 4096, 4099, 100003})
        for (const std::size_t shift : {0, 1}) {
            CAPTURE(n, shift);
            const auto x = numbers<float>(n, 1), y = numbers<float>(n, 2);
            const buffer<float> dx(x), dy(y, shift), dz(n, -1.0f, shift);
            call(saxpy_recipe(), n)
                .add({1, n, 0, 0}, {flat(&a, 1), flat(dx.data(), n), flat(dy.data(), n), flat(dz.data(), n)})
                .run();
            CHECK(same(dz.read(), saxpy_reference(a, x, y)));
        }
}

TEST_CASE("map: blocks of any size", "[cuda][gpu]")
{
    const float a = 0.5f;
    for (const unsigned threads : {32, 96, 256, 1024})
        for (const std::size_t n : {1, 31, 1000, 4099, 100003})
            for (const std::size_t shift : {0, 1}) {
                CAPTURE(threads, n, shift);
                const auto x = numbers<float>(n, 1), y = numbers<float>(n, 2);
                const buffer<float> dx(x), dy(y, shift), dz(n, -1.0f, shift);
                call(saxpy_recipe(), n)
                    .block(threads)
                    .add({1, n, 0, 0}, {flat(&a, 1), flat(dx.data(), n), flat(dy.data(), n), flat(dz.data(), n)})
                    .run();
                CHECK(same(dz.read(), saxpy_reference(a, x, y)));
            }
}

TEST_CASE("map: loops over positions in blocks of any size", "[cuda][gpu]")
{
    const auto steps = USER_FUNCTION((sk::index2 at) {
        long x = (long)at.row;
        for (int i = 0; i < 100; ++i) x = x * 3 + (long)at.col;
        return x;
    });
    builder b(skeleton::map, "loops");
    b.slots({element<long>()}).call<long>(steps, {at2()}).result<long>();
    const std::size_t rows = 37, cols = 129;
    std::vector<long> want(rows * cols);
    for (std::size_t i = 0; i < want.size(); ++i) want[i] = steps.call({i / cols, i % cols});
    for (const unsigned threads : {0, 64, 1024}) {
        CAPTURE(threads);
        const buffer<long> d(rows * cols, -7L);
        call(b.get(), cols, true)
            .block(threads)
            .add({rows, cols, 0, 0}, {device::matrix(d.data(), rows, cols, cols)})
            .run();
        CHECK(same(d.read(), want));
    }
}

TEST_CASE("map: in place", "[cuda][gpu]")
{
    const float a = 3;
    const std::size_t n = 1'000'003;
    const auto x = numbers<float>(n, 1), y = numbers<float>(n, 2);
    const buffer<float> dx(x), dy(y);
    call(saxpy_recipe(), n)
        .add({1, n, 0, 0}, {flat(&a, 1), flat(dx.data(), n), flat(dy.data(), n), flat(dy.data(), n)})
        .run();
    CHECK(same(dy.read(), saxpy_reference(a, x, y)));
}

TEST_CASE("map: many segments of many sizes, aligned and not", "[cuda][gpu]")
{
    const float a = 2;
    std::vector<std::size_t> sizes;
    for (std::size_t s = 0; s < 301; ++s) sizes.push_back(s * s % 977 + (s % 50 == 0 ? 20000 : 0));
    const std::size_t n = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
    const auto x = numbers<float>(n, 1), y = numbers<float>(n, 2);
    const buffer<float> dx(x), dy(y), dz(n, -1.0f);
    call c(saxpy_recipe(), n);
    std::size_t first = 0;
    for (const std::size_t size : sizes) {
        c.add({1, size, 0, first}, {flat(&a, 1), flat(dx.data() + first, size), flat(dy.data() + first, size),
                                    flat(dz.data() + first, size)});
        first += size;
    }
    c.run();
    CHECK(same(dz.read(), saxpy_reference(a, x, y)));
}

TEST_CASE("map: operands of different sizes, and structs", "[cuda][gpu]")
{
    const auto f = USER_FUNCTION((char c, double d, rgb p, point q, body b) {
        b.mass = c + d + p.r * 2 + p.b + q.z;
        b.id[12] = p.g;
        return b;
    });
    builder b(skeleton::map, "structs");
    b.slots({element<char>(), element<double>(), element<rgb>(), element<point>(), element<body>(), element<body>()})
        .call<body>(f, {operand(0), operand(1), operand(2), operand(3), operand(4)})
        .result<body>();
    for (const std::size_t n : {1, 7, 256, 10007})
        for (const std::size_t shift : {0, 1}) {
            CAPTURE(n, shift);
            std::vector<char> c(n);
            std::vector<double> d(n);
            std::vector<rgb> p(n);
            std::vector<point> q(n);
            std::vector<body> bodies(n, body{}), expected(n, body{});
            for (std::size_t i = 0; i < n; ++i) {
                const auto byte = static_cast<unsigned char>(i);
                c[i] = static_cast<char>(i % 100);
                d[i] = i * 0.5;
                p[i] = {byte, static_cast<unsigned char>(byte + 1), static_cast<unsigned char>(byte + 2)};
                q[i] = {0, 1, i * 2.0f};
                bodies[i].position[0] = i;
                bodies[i].id[3] = static_cast<int>(i);
                expected[i] = f.call(c[i], d[i], p[i], q[i], bodies[i]);
            }
            const buffer<char> dc(c, shift);
            const buffer<double> dd(d, shift);
            const buffer<rgb> dp(p, shift);
            const buffer<point> dq(q, shift);
            const buffer<body> db(bodies, shift), dr(n, body{}, shift);
            call(b.get(), n)
                .add({1, n, 0, 0}, {flat(dc.data(), n), flat(dd.data(), n), flat(dp.data(), n), flat(dq.data(), n),
                                    flat(db.data(), n), flat(dr.data(), n)})
                .run();
            CHECK(same(dr.read(), expected));
        }
}

TEST_CASE("map: small elements in packs", "[cuda][gpu]")
{
    const auto f = USER_FUNCTION((unsigned char a, rgb b) {
        return rgb{static_cast<unsigned char>(a + b.r), b.b, b.g};
    });
    builder b(skeleton::map, "bytes");
    b.slots({element<unsigned char>(), element<rgb>(), element<rgb>()})
        .call<rgb>(f, {operand(0), operand(1)})
        .result<rgb>();
    const std::size_t n = 70001;
    std::vector<unsigned char> a(n);
    std::vector<rgb> c(n), expected(n);
    for (std::size_t i = 0; i < n; ++i) {
        a[i] = static_cast<unsigned char>(i * 7);
        c[i] = {static_cast<unsigned char>(i), static_cast<unsigned char>(i * 3), static_cast<unsigned char>(i * 5)};
        expected[i] = f.call(a[i], c[i]);
    }
    const buffer<unsigned char> da(a);
    const buffer<rgb> dc(c), dr(n, rgb{});
    call(b.get(), n).add({1, n, 0, 0}, {flat(da.data(), n), flat(dc.data(), n), flat(dr.data(), n)}).run();
    CHECK(same(dr.read(), expected));
}

TEST_CASE("map: positions in tiles of a matrix, whole rows, blocks, columns", "[cuda][gpu]")
{
    const auto both =
        USER_FUNCTION((sk::index1 a, sk::index2 b, long x) { return long(a.i * 1000000 + b.row * 1000 + b.col) + x; });
    const auto first = USER_FUNCTION((sk::index1 a, long x) { return long(a.i) + x; });
    builder two(skeleton::map, "index2"), one(skeleton::map, "index1");
    two.slots({element<long>(), element<long>()}).call<long>(both, {at1(), at2(), operand(0)}).result<long>();
    one.slots({element<long>(), element<long>()}).call<long>(first, {at1(), operand(0)}).result<long>();

    const std::size_t rows = 301, cols = 203, ld = 207;
    std::vector<long> x(rows * ld);
    std::iota(x.begin(), x.end(), 5);
    for (const std::size_t tile_cols : {cols, std::size_t{50}, std::size_t{1}})
        for (const std::size_t padded : {cols, ld}) {
            CAPTURE(tile_cols, padded);
            const buffer<long> dx(x), dy(rows * padded, -7L), dz(rows * padded, -7L);
            call c2(two.get(), cols, true), c1(one.get(), cols, true);
            for (std::size_t r = 0; r < rows; r += 100)
                for (std::size_t c = 0; c < cols; c += tile_cols) {
                    const segment where{std::min<std::size_t>(100, rows - r), std::min(tile_cols, cols - c), r, c};
                    const std::size_t at = r * padded + c;
                    const auto view = [&](const buffer<long>& m) {
                        return device::matrix(m.data() + at, where.rows, where.cols, padded);
                    };
                    c2.add(where, {view(dx), view(dy)});
                    c1.add(where, {view(dx), view(dz)});
                }
            c2.run();
            c1.run();
            std::vector<long> y(rows * padded, -7), z(rows * padded, -7);
            for (std::size_t r = 0; r < rows; ++r)
                for (std::size_t c = 0; c < cols; ++c) {
                    const std::size_t i = r * padded + c;
                    y[i] = both.call({r * cols + c}, {r, c}, x[i]);
                    z[i] = first.call({r * cols + c}, x[i]);
                }
            CHECK(same(dy.read(), y));
            CHECK(same(dz.read(), z));
        }
}

TEST_CASE("map: a column of a matrix as a vector", "[cuda][gpu]")
{
    const float a = 2;
    const std::size_t rows = 5000, ld = 17;
    const auto x = numbers<float>(rows * ld, 1), y = numbers<float>(rows, 2);
    const buffer<float> dx(x), dy(y), dz(rows * ld, 0.0f);
    call(saxpy_recipe(), rows)
        .add({1, rows, 0, 0}, {flat(&a, 1), device::matrix(dx.data() + 3, 1, rows, rows * ld, ld),
                               flat(dy.data(), rows), device::matrix(dz.data() + 5, 1, rows, rows * ld, ld)})
        .run();
    std::vector<float> z(rows * ld, 0.0f);
    for (std::size_t r = 0; r < rows; ++r) z[r * ld + 5] = a * x[r * ld + 3] + y[r];
    CHECK(same(dz.read(), z));
}

TEST_CASE("map: whole containers, scalars, large uniforms, fused calls", "[cuda][gpu]")
{
    const auto f = USER_FUNCTION((sk::vec<int> v, sk::mat<int> m, int s, table t, sk::index1 at, int x) {
        int sum = s + t.value[at.i % 1200] + x;
        for (size_t i = 0; i < v.size(); ++i) sum += v[i];
        for (size_t r = 0; r < m.rows(); ++r) sum += m(r, m.cols() - 1);
        return sum;
    });
    const auto twice = USER_FUNCTION((auto x) { return x + x; });
    builder b(skeleton::map, "whole");
    b.slots({slot<int>(slot_kind::vec), slot<int>(slot_kind::mat), slot<int>(slot_kind::scalar), uniform<table>(),
             element<int>(), element<int>()})
        .call<int>(twice, {operand(4)})
        .call<int>(f, {operand(0), operand(1), operand(2), operand(3), at1(), result_of(0)})
        .call<int>(twice, {result_of(1)})
        .result<int>();
    const std::size_t n = 3001;
    std::vector<int> v(40), m(5 * 9), x(n), expected(n);
    std::iota(v.begin(), v.end(), 1);
    std::iota(m.begin(), m.end(), 100);
    std::iota(x.begin(), x.end(), 1000);
    table t;
    std::iota(t.value, t.value + 1200, 7);
    int sum = 11;
    for (const int one : v) sum += one;
    for (int r = 0; r < 5; ++r) sum += m[r * 9 + 7];
    for (std::size_t i = 0; i < n; ++i) expected[i] = 2 * (sum + t.value[i % 1200] + 2 * x[i]);
    const buffer<int> dv(v), dm(m), ds(1, 11), dx(x), dr(n, 0);
    call(b.get(), n)
        .add({1, n, 0, 0}, {flat(dv.data(), 40), device::matrix(dm.data(), 5, 8, 9), flat(ds.data(), 1), flat(&t, 1),
                            flat(dx.data(), n), flat(dr.data(), n)})
        .run();
    CHECK(same(dr.read(), expected));
}
