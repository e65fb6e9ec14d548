// SPDX-License-Identifier: BSD-3-Clause
#include "../recipes.hpp"
#include "device.hpp"
#include "types.hpp"

#include <cstdint>
#include <optional>
#include <random>

using namespace recipes;
using device::buffer;
using device::call;
using device::flat;

namespace
{

/// The product of matrices is associative and not commutative: any change of order shows.
const auto product = USER_FUNCTION((square x, square y) { return multiply(x, y); });
const auto plus = USER_FUNCTION((auto a, auto b) { return a + b; });
const auto left = USER_FUNCTION((auto a, auto b) { return a; });
const auto right = USER_FUNCTION((auto a, auto b) { return b; });
const auto heavier = USER_FUNCTION((body a, body b) { return a.mass < b.mass ? b : a; });

bool equal(square a, square b) { return a.a == b.a && a.b == b.b && a.c == b.c && a.d == b.d; }

std::vector<square> squares(std::size_t n)
{
    std::mt19937 random{7};
    std::vector<square> all(n);
    for (square& s : all) {
        // Determinant one, or long products would soon be zero.
        const unsigned a = random() % modulus, b = random() % modulus;
        s = multiply({1, a, 0, 1}, {1, 0, b, 1});
    }
    return all;
}

const builder& reduction_of_squares(skeleton kind)
{
    static builder* all[4] = {};
    builder*& b = all[static_cast<int>(kind)];
    if (b == nullptr) {
        b = new builder(kind, "product");
        b->slots({element<square>()}).combine(product).result<square>();
    }
    return *b;
}

template <class T, class Op>
T fold(const std::vector<T>& all, const Op& op)
{
    T sum = all.front();
    for (std::size_t i = 1; i < all.size(); ++i) sum = op(sum, all[i]);
    return sum;
}

} // namespace

TEST_CASE("reduce: the order of operands, for many sizes", "[cuda][gpu]")
{
    const recipe& what = reduction_of_squares(skeleton::reduce).get();
    for (const std::size_t n : {1, 2, 3, 31, 32, 33, 255, 1000, 4096, 4099, 100003, 5000011}) {
        CAPTURE(n);
        const auto x = squares(n);
        const buffer<square> dx(x), result(1, square{});
        call(what, n).add({1, n, 0, 0}, {flat(dx.data(), n)}).run(result.data());
        CHECK(equal(result.read()[0], fold(x, product.call)));
    }
}

TEST_CASE("reduce: many segments, in order", "[cuda][gpu]")
{
    const recipe& what = reduction_of_squares(skeleton::reduce).get();
    const std::size_t n = 700001;
    const auto x = squares(n);
    const buffer<square> dx(x), result(1, square{});
    call c(what, n);
    for (std::size_t first = 0, s = 0; first < n; ++s) {
        const std::size_t size = std::min(n - first, s * s % 3001 + (s % 7 == 0 ? 0 : 17));
        c.add({1, size, 0, first}, {flat(dx.data() + first, size)});
        first += size;
    }
    c.run(result.data());
    CHECK(equal(result.read()[0], fold(x, product.call)));
}

TEST_CASE("reduce: part of a matrix, row by row", "[cuda][gpu]")
{
    const recipe& what = reduction_of_squares(skeleton::reduce).get();
    const std::size_t rows = 333, ld = 129;
    const auto x = squares(rows * ld);
    const buffer<square> dx(x), result(1, square{});
    for (const std::size_t cols : {1, 5, 100}) {
        CAPTURE(cols);
        call(what, cols, true)
            .add({rows, cols, 0, 0}, {device::matrix(dx.data() + 3, rows, cols, ld)})
            .run(result.data());
        std::vector<square> taken;
        for (std::size_t r = 0; r < rows; ++r)
            for (std::size_t c = 0; c < cols; ++c) taken.push_back(x[r * ld + 3 + c]);
        CHECK(equal(result.read()[0], fold(taken, product.call)));
    }
}

TEST_CASE("reduce: nobody invents an operand", "[cuda][gpu]")
{
    const auto times = USER_FUNCTION((float a, float b) { return a * b; });
    builder b(skeleton::reduce, "ones"), l(skeleton::reduce, "left"), r(skeleton::reduce, "right"),
        big(skeleton::reduce, "heavier");
    b.slots({element<float>()}).combine(times).result<float>();
    l.slots({element<int>()}).combine(left).result<int>();
    r.slots({element<int>()}).combine(right).result<int>();
    big.slots({element<body>()}).combine(heavier).result<body>();
    for (const std::size_t n : {1, 3, 33, 257, 70001})
        for (const std::size_t shift : {0, 1}) {
            CAPTURE(n, shift);
            const buffer<float> ones(n, 1.0f, shift), one(1, 0.0f);
            call(b.get(), n).add({1, n, 0, 0}, {flat(ones.data(), n)}).run(one.data());
            CHECK(one.read()[0] == 1.0f);

            std::vector<int> numbers(n);
            std::vector<body> bodies(n, body{});
            for (std::size_t i = 0; i < n; ++i) {
                numbers[i] = static_cast<int>(i) + 5;
                bodies[i].mass = -static_cast<double>((i * 7919) % n) - 1;
                bodies[i].id[12] = static_cast<int>(i);
            }
            const buffer<int> in(numbers, shift), out(1, 0);
            call(l.get(), n).add({1, n, 0, 0}, {flat(in.data(), n)}).run(out.data());
            CHECK(out.read()[0] == 5);
            call(r.get(), n).add({1, n, 0, 0}, {flat(in.data(), n)}).run(out.data());
            CHECK(out.read()[0] == static_cast<int>(n) + 4);

            const buffer<body> db(bodies), heaviest(1, body{});
            call(big.get(), n).add({1, n, 0, 0}, {flat(db.data(), n)}).run(heaviest.data());
            CHECK(heaviest.read()[0].id[12] == fold(bodies, heavier.call).id[12]);
        }
}

TEST_CASE("reduce: fused map in front, mixed types, and the same bits again", "[cuda][gpu]")
{
    const auto times = USER_FUNCTION((float a, double b) { return a * b; });
    builder b(skeleton::reduce, "dot");
    b.slots({element<float>(), element<double>()})
        .call<double>(times, {operand(0), operand(1)})
        .combine(plus)
        .result<double>();
    const std::size_t n = 1'000'003;
    std::vector<float> x(n);
    std::vector<double> y(n);
    double expected = 0;
    for (std::size_t i = 0; i < n; ++i) {
        x[i] = static_cast<float>(i % 97) * 0.1f;
        y[i] = 1.0 / (1 + i % 89);
        expected += x[i] * y[i];
    }
    const buffer<float> dx(x);
    const buffer<double> dy(y), result(1, 0.0);
    std::optional<double> first;
    for (int i = 0; i < 5; ++i) {
        call(b.get(), n).add({1, n, 0, 0}, {flat(dx.data(), n), flat(dy.data(), n)}).run(result.data());
        const double sum = result.read()[0];
        CHECK(sum == Approx(expected).epsilon(1e-12));
        CHECK(sum == first.value_or(sum));
        first = sum;
    }
}

TEST_CASE("reduce: positions in a matrix", "[cuda][gpu]")
{
    const auto index = USER_FUNCTION((sk::index1 i, sk::index2 at) { return i.i * 3 + at.row * 1000 + at.col; });
    builder b(skeleton::reduce, "positions");
    b.call<std::size_t>(index, {at1(), at2()}).combine(plus).result<std::size_t>();
    const std::size_t rows = 123, cols = 45;
    std::size_t expected = 0;
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < cols; ++c) expected += (r * cols + c) * 3 + r * 1000 + c;
    const buffer<std::size_t> result(1, std::size_t{0});
    call c(b.get(), cols, true);
    c.add({100, cols, 0, 0}, {}).add({23, 40, 100, 0}, {}).add({23, 5, 100, 40}, {});
    c.run(result.data());
    CHECK(result.read()[0] == expected);
}

TEST_CASE("reduce_rows: shapes, leading dimensions, start values, segments", "[cuda][gpu]")
{
    const recipe& what = reduction_of_squares(skeleton::reduce_rows).get();
    const square start{3, 1, 4, 1};
    const std::pair<std::size_t, std::size_t> shapes[] = {{1, 1},     {5, 1},      {1000, 2},  {333, 3},
                                                          {33, 7},    {100, 31},   {17, 33},   {9, 1000},
                                                          {3, 70001}, {1, 300007}, {5000, 100}};
    for (const auto& [rows, cols] : shapes)
        for (const std::size_t padding : {0, 1, 4})
            for (const bool with_start : {false, true}) {
                CAPTURE(rows, cols, padding, with_start);
                const std::size_t ld = cols + padding, split = rows / 3;
                const auto x = squares(rows * ld);
                const buffer<square> dx(x), result(rows, square{});
                call c(what, cols, true);
                c.add({split, cols, 0, 0}, {device::matrix(dx.data(), split, cols, ld)});
                c.add({rows - split, cols, split, 0}, {device::matrix(dx.data() + split * ld, rows - split, cols, ld)});
                c.start(with_start ? &start : nullptr).run(result.data());
                const auto sums = result.read();
                bool good = true;
                for (std::size_t r = 0; r < rows; ++r) {
                    std::vector<square> row(x.begin() + static_cast<std::ptrdiff_t>(r * ld),
                                            x.begin() + static_cast<std::ptrdiff_t>(r * ld + cols));
                    if (with_start) row.insert(row.begin(), start);
                    good = good && equal(sums[r], fold(row, product.call));
                }
                CHECK(good);
            }
}

TEST_CASE("reduce_rows: packs of small elements, strided columns, empty rows", "[cuda][gpu]")
{
    builder b(skeleton::reduce_rows, "sums");
    b.slots({element<float>()}).combine(plus).result<float>();
    const std::size_t rows = 77, ld = 1004;
    std::vector<float> x(rows * ld);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 13);
    const buffer<float> dx(x);
    const float start = 0.5f;
    for (const std::size_t cols : {0, 3, 17, 129, 1000})
        for (const std::size_t shift : {0, 1}) {
            CAPTURE(cols, shift);
            const buffer<float> result(rows, -1.0f);
            call(b.get(), cols, true)
                .add({rows, cols, 0, 0}, {device::matrix(dx.data() + shift, rows, cols, ld)})
                .start(&start)
                .run(result.data());
            std::vector<float> expected(rows, start);
            for (std::size_t r = 0; r < rows; ++r)
                for (std::size_t c = 0; c < cols; ++c) expected[r] += x[r * ld + shift + c];
            CHECK(result.read() == expected); // exact: small whole numbers and a half
        }
    const buffer<float> result(rows, -1.0f);
    call(b.get(), 300, true).add({rows, 300, 0, 0}, {device::matrix(dx.data(), rows, 300, ld, 3)}).run(result.data());
    std::vector<float> expected(rows, 0.0f);
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < 300; ++c) expected[r] += x[r * ld + 3 * c];
    CHECK(result.read() == expected);
}

TEST_CASE("reduce_columns: shapes and segments", "[cuda][gpu]")
{
    const recipe& what = reduction_of_squares(skeleton::reduce_columns).get();
    const std::pair<std::size_t, std::size_t> shapes[] = {{1, 1},     {100003, 1}, {70001, 3}, {1000, 33},
                                                          {31, 1000}, {500, 2000}, {2, 300000}};
    for (const auto& [rows, cols] : shapes)
        for (const std::size_t pieces : {1, 3, 100}) {
            CAPTURE(rows, cols, pieces);
            const auto x = squares(rows * cols);
            const buffer<square> dx(x), result(cols, square{});
            call c(what, cols, true);
            const std::size_t step = (rows + pieces - 1) / pieces;
            for (std::size_t r = 0; r < rows; r += step)
                c.add({std::min(step, rows - r), cols, r, 0},
                      {device::matrix(dx.data() + r * cols, std::min(step, rows - r), cols, cols)});
            c.run(result.data());
            const auto sums = result.read();
            bool good = true;
            for (std::size_t j = 0; j < cols; ++j) {
                square sum = x[j];
                for (std::size_t r = 1; r < rows; ++r) sum = multiply(sum, x[r * cols + j]);
                good = good && equal(sums[j], sum);
            }
            CHECK(good);
        }
}
