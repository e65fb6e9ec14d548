// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

using namespace test;

namespace
{

const auto position1 = sk::map(SKELRT_FN((sk::index1 i) { return (unsigned)i.i * 3u + 1u; }));
const auto position2 = sk::map(SKELRT_FN((sk::index2 i) { return (unsigned)(i.row * 1000 + i.col); }));
const auto add_position1 = sk::map(SKELRT_FN((sk::index1 i, unsigned x) { return (unsigned)i.i * 100u + x; }));
const auto add_position2 =
    sk::map(SKELRT_FN((sk::index2 i, unsigned x, unsigned f) { return f * (unsigned)(i.row * 1000 + i.col) + x; }));

unsigned place(std::size_t i, std::size_t cols) { return static_cast<unsigned>(i / cols * 1000 + i % cols); }

} // namespace

TEST_CASE("index only, one dimension", "[map][index]")
{
    const auto n = sizes();
    const auto want = expected(n, [](std::size_t i) { return static_cast<unsigned>(i * 3 + 1); });
    sk::vector<unsigned> x(n);
    x = position1();
    check_equal(x, want);
    const sk::vector<unsigned> y = position1(sk::shape(n));
    check_equal(y, want);
}

TEST_CASE("index only, two dimensions", "[map][index]")
{
    const auto [rows, cols] = GENERATE(
        table<std::size_t, std::size_t>({{0, 0}, {0, 3}, {3, 0}, {1, 1}, {1, 300}, {300, 1}, {65, 129}, {333, 77}}));
    const auto want = expected(rows * cols, [cols = cols](std::size_t i) { return place(i, cols); });
    sk::matrix<unsigned> x(rows, cols);
    x = position2();
    check_equal(x, want);
    const sk::matrix<unsigned> y = position2(sk::shape(rows, cols));
    REQUIRE(y.rows() == rows);
    REQUIRE(y.cols() == cols);
    check_equal(y, want);
}

TEST_CASE("the index beside operands", "[map][index]")
{
    const std::size_t rows = 37, cols = 211, n = rows * cols;
    const auto a = numbers<unsigned>(n);
    const auto v = vector_of(a);
    const auto m = matrix_of(rows, cols, a);
    const sk::vector<unsigned> x = add_position1(v);
    check_equal(x, expected(n, [&](std::size_t i) { return static_cast<unsigned>(i) * 100 + a[i]; }));
    const sk::matrix<unsigned> y = add_position1(m); // row * columns + column
    check_equal(y, expected(n, [&](std::size_t i) { return static_cast<unsigned>(i) * 100 + a[i]; }));
    const sk::matrix<unsigned> z = add_position2(m, 2u);
    check_equal(z, expected(n, [&](std::size_t i) { return 2 * place(i, cols) + a[i]; }));
}

TEST_CASE("the index counts from the origin of the call, not of the container", "[map][index][view]")
{
    const std::size_t n = 1000;
    sk::vector<unsigned> x(n, 7u);
    x.range(100, 300) = position1();
    check_equal(x, expected(n, [](std::size_t i) {
                    return i >= 100 && i < 400 ? static_cast<unsigned>((i - 100) * 3 + 1) : 7u;
                }));
    sk::matrix<unsigned> m(40, 50, 7u);
    m.sub(3, 5, 20, 30) = position2();
    check_equal(m, expected(40 * 50, [](std::size_t i) {
                    const std::size_t r = i / 50, c = i % 50;
                    return r >= 3 && r < 23 && c >= 5 && c < 35 ? static_cast<unsigned>((r - 3) * 1000 + c - 5) : 7u;
                }));
    m.column(49) = position1();
    const auto got = values(m);
    for (std::size_t r = 0; r < 40; ++r) REQUIRE(got[r * 50 + 49] == r * 3 + 1);
}

TEST_CASE("positions beyond 16 bits", "[map][index]")
{
    const std::size_t n = 200'003;
    const auto index = sk::map(SKELRT_FN((sk::index1 i) { return (unsigned long)i.i; }));
    const sk::vector<unsigned long> x = index(sk::shape(n));
    check_equal(x, expected(n, [](std::size_t i) { return static_cast<unsigned long>(i); }));
}
