// SPDX-License-Identifier: BSD-3-Clause
/// The same elements in other shapes, and how they are printed.

#include "../conformance/monoids.hpp"

#include <sstream>

using namespace test;

namespace
{

const auto twice = sk::map(SKELRT_FN((int a) { return 2 * a; }));
const auto sum = sk::reduce(sk::plus, 0);
const auto at = sk::map(SKELRT_FN((sk::index2 i, int a) { return a + (int)(1000 * i.row + i.col); }));

template <class X>
std::string text_of(const X& x)
{
    std::ostringstream to;
    to << x;
    return to.str();
}

SKELRT_SHARED(struct unprintable { int a, b; };)

} // namespace

TEST_CASE("a vector becomes a matrix and comes back", "[container][reshape]")
{
    const std::size_t rows = GENERATE(1, 7, 33, 210), cols = GENERATE(1, 10, 101);
    const auto a = numbers<int>(rows * cols);
    auto v = vector_of(a);
    v = twice(v);
    sk::matrix<int> m = sk::reshape(std::move(v), rows, cols);
    REQUIRE(v.empty()); // NOLINT: moved from
    REQUIRE(m.rows() == rows);
    REQUIRE(m.cols() == cols);
    m = at(m);
    const auto want =
        expected(a.size(), [&](std::size_t i) { return 2 * a[i] + static_cast<int>(1000 * (i / cols) + i % cols); });
    check_equal(m, want);
    sk::vector<int> by_row = sum.by_row(m);
    check_equal(by_row, expected(rows, [&](std::size_t r) {
                    int s = 0;
                    for (std::size_t c = 0; c < cols; ++c) s += want[r * cols + c];
                    return s;
                }));
    m = twice(m);
    v = sk::reshape(std::move(m), rows * cols);
    REQUIRE(m.empty()); // NOLINT: moved from
    v = twice(v);
    check_equal(v, expected(a.size(), [&](std::size_t i) { return 4 * want[i]; }));
}

TEST_CASE("a matrix and a tensor change their own shape", "[container][reshape]")
{
    const auto a = numbers<int>(60 * 44);
    auto m = matrix_of(60, 44, a);
    m = twice(m);
    m.reshape(44, 60);
    REQUIRE(m.rows() == 44);
    m = at(m);
    check_equal(
        m, expected(a.size(), [&](std::size_t i) { return 2 * a[i] + static_cast<int>(1000 * (i / 60) + i % 60); }));
    m.reshape(1, 2640);
    m.reshape(2640, 1);
    REQUIRE(m.cols() == 1);

    sk::tensor<int, 3> t = sk::reshape(std::move(m), 11, 12, 20);
    t = twice(t);
    t.reshape({2, 6, 220});
    REQUIRE(t.extent(2) == 220);
    const sk::tensor<int, 4> f = sk::reshape(std::move(t), 4, 3, 2, 110);
    REQUIRE(f.extents() == std::array<std::size_t, 4>{4, 3, 2, 110});
    check_equal(f, expected(a.size(), [&](std::size_t i) {
                    return 2 * (2 * a[i] + static_cast<int>(1000 * (i / 60) + i % 60));
                }));
}

TEST_CASE("who refers to a container keeps its elements when the shape changes", "[container][reshape][view]")
{
    const auto a = numbers<int>(35 * 8);
    auto m = matrix_of(35, 8, a);
    const auto row = m.row(2);
    const auto later = twice(m);
    m.reshape(8, 35);
    m = twice(m);
    sk::vector<int> shown = twice(row);
    check_equal(shown, expected(8, [&](std::size_t i) { return 2 * a[16 + i]; }));
    sk::matrix<int> doubled = later;
    REQUIRE(doubled.rows() == 35);
    check_equal(doubled, expected(a.size(), [&](std::size_t i) { return 2 * a[i]; }));
    check_equal(m, expected(a.size(), [&](std::size_t i) { return 2 * a[i]; }));
}

TEST_CASE("another number of elements is no shape", "[container][reshape]")
{
    using Catch::Contains;
    sk::vector<int> v(12, 1);
    REQUIRE_THROWS_WITH(sk::reshape(std::move(v), 5, 3), Contains("12") && Contains("5 x 3"));
    REQUIRE_THROWS_AS(sk::reshape(std::move(v), static_cast<std::size_t>(1) << 63, 2), sk::error);
    check_equal(v, std::vector<int>(12, 1));
    sk::matrix<int> m(3, 4, 2);
    {
        const auto h = sk::host_read(m);
        REQUIRE_THROWS_WITH(m.reshape(4, 3), Contains("host view"));
    }
    REQUIRE_THROWS_AS(m.reshape(4, 4), sk::error);
    check_equal(m, std::vector<int>(12, 2));
    REQUIRE(m.rows() == 3);

    sk::vector<int> none;
    const sk::matrix<int> empty = sk::reshape(std::move(none), 0, 5);
    REQUIRE(empty.cols() == 5);
    sk::vector<int> one(1, 3);
    check_equal(sk::reshape(std::move(one), 1, 1), std::vector<int>{3});
}

TEST_CASE("borrowed memory in another shape", "[container][reshape][borrow]")
{
    std::vector<int> mine = numbers<int>(3000);
    const std::vector<int> before = mine;
    {
        sk::vector<int> v(sk::borrow, mine.data(), mine.size());
        v = twice(v);
        sk::matrix<int> m = sk::reshape(std::move(v), 60, 50);
        m = twice(m);
        check_equal(m, expected(3000, [&](std::size_t i) { return 4 * before[i]; }));
    }
}

TEST_CASE("small containers are printed in full", "[container][print]")
{
    REQUIRE(text_of(sk::vector<int>()) == "vector<int>(0) []");
    REQUIRE(text_of(sk::vector<int>{7}) == "vector<int>(1) [7]");
    REQUIRE(text_of(sk::vector<int>{1, 2, 3, 4, 5, 6, 7}) == "vector<int>(7) [1, 2, 3, 4, 5, 6, 7]");
    REQUIRE(text_of(sk::matrix<int>{{1, 2}, {3, 4}}) == "matrix<int>(2 x 2)\n[[1, 2],\n [3, 4]]");
}

TEST_CASE("large containers are printed in short", "[container][print]")
{
    sk::vector<int> x(1000);
    x = sk::map(SKELRT_FN((sk::index1 i, int) { return (int)i.i; }))(x);
    REQUIRE(text_of(x) == "vector<int>(1000) [0, 1, 2, ..., 997, 998, 999]");
    REQUIRE(text_of(x.range(10, 7)) == "vector<int>(7) [10, 11, 12, 13, 14, 15, 16]");
    const sk::matrix<int> m = sk::reshape(std::move(x), 100, 10);
    REQUIRE(text_of(m) == "matrix<int>(100 x 10)\n"
                          "[[0, 1, 2, ..., 7, 8, 9],\n"
                          " [10, 11, 12, ..., 17, 18, 19],\n"
                          " [20, 21, 22, ..., 27, 28, 29],\n"
                          " ...,\n"
                          " [970, 971, 972, ..., 977, 978, 979],\n"
                          " [980, 981, 982, ..., 987, 988, 989],\n"
                          " [990, 991, 992, ..., 997, 998, 999]]");
    REQUIRE(text_of(m.column(3)) == "vector<int>(100) [3, 13, 23, ..., 973, 983, 993]");
    REQUIRE(text_of(m.sub(1, 1, 2, 2)) == "matrix<int>(2 x 2)\n[[11, 12],\n [21, 22]]");
}

TEST_CASE("tensors and structs are printed, too", "[container][print]")
{
    sk::tensor<int, 3> t({2, 2, 9}, 1);
    REQUIRE(text_of(t) == "tensor<int, 3>(2 x 2 x 9)\n"
                          "[[[1, 1, 1, ..., 1, 1, 1],\n"
                          "  [1, 1, 1, ..., 1, 1, 1]],\n\n"
                          " [[1, 1, 1, ..., 1, 1, 1],\n"
                          "  [1, 1, 1, ..., 1, 1, 1]]]");
    sk::tensor<int, 4> f({1, 1, 1, 1}, 5);
    REQUIRE(text_of(f) == "tensor<int, 4>(1 x 1 x 1 x 1)\n[[[[5]]]]");
    REQUIRE(text_of(sk::matrix<int>(0, 4)) == "matrix<int>(0 x 4) []");
    REQUIRE(text_of(sk::vector<unsigned char>{65, 200}) == "vector<unsigned char>(2) [65, 200]");
    REQUIRE(text_of(sk::vector<float>{0.5f, -1}) == "vector<float>(2) [0.5, -1]");
    REQUIRE(text_of(sk::vector<std::array<int, 2>>{{1, 2}, {3, 4}}).ends_with("(2) [(1, 2), (3, 4)]"));
    REQUIRE(text_of(sk::vector<unprintable>(1, {1, 2})).ends_with("(1) [{8 bytes}]"));
}
