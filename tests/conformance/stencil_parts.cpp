// SPDX-License-Identifier: BSD-3-Clause
#include "stencil_support.hpp"

#include <random>

using namespace test;

/// Stencils of parts whose hoods see around them: sk::with_neighbours.

namespace
{

#define PART_CROSS                                                                                                     \
    SKELRT_FN((sk::hood2<int> u) { return 3 * u(0, 0) + u(-2, 0) - 4 * u(1, 0) + 5 * u(0, -1) + 7 * u(0, 3); })

template <class At>
int part_cross(At u)
{
    return 3 * u(0, 0) + u(-2, 0) - 4 * u(1, 0) + 5 * u(0, -1) + 7 * u(0, 3);
}
constexpr reaches cross_reach{2, 1, 1, 3};

#define PART_LINE SKELRT_FN((sk::hood1<int> u) { return u(-2) + 3 * u(0) - 5 * u[1]; })

template <class At>
int part_line(At u)
{
    return u(-2) + 3 * u(0) - 5 * u(1);
}

struct rectangle {
    std::size_t row, col, rows, cols;
};

template <class T>
auto part_of(const sk::matrix<T>& m, const rectangle& p)
{
    return m.sub(p.row, p.col, p.rows, p.cols);
}

/// `to` with what `from` has in the rectangle.
std::vector<int> replaced(std::vector<int> to, const std::vector<int>& from, std::size_t cols, const rectangle& p)
{
    for (std::size_t r = p.row; r < p.row + p.rows; ++r)
        for (std::size_t c = p.col; c < p.col + p.cols; ++c) to[r * cols + c] = from[r * cols + c];
    return to;
}

/// What lies in it, row after row.
std::vector<int> cut_out(const std::vector<int>& from, std::size_t cols, const rectangle& p)
{
    std::vector<int> all;
    for (std::size_t r = p.row; r < p.row + p.rows; ++r)
        for (std::size_t c = p.col; c < p.col + p.cols; ++c) all.push_back(from[r * cols + c]);
    return all;
}

template <class Check>
void for_every_border(const Check& check)
{
    check(sk::border::constant(9));
    check(sk::border::cyclic());
    check(sk::border::nearest());
    check(sk::border::none());
}

struct grid_with_part {
    std::size_t rows, cols;
    rectangle part;
};

auto grids_with_parts()
{
    return GENERATE(values<grid_with_part>({{1, 1, {0, 0, 1, 1}},
                                            {1, 1, {0, 0, 0, 0}},
                                            {9, 7, {9, 3, 0, 4}},
                                            {9, 7, {3, 3, 1, 1}},
                                            {9, 7, {2, 1, 6, 3}},
                                            {9, 7, {0, 0, 9, 7}},
                                            {9, 7, {0, 2, 9, 3}},
                                            {3, 300, {1, 3, 1, 290}},
                                            {300, 3, {2, 1, 297, 1}},
                                            {64, 130, {5, 64, 50, 66}},
                                            {203, 67, {1, 1, 201, 65}},
                                            {203, 67, {150, 10, 40, 20}}}));
}

} // namespace

TEST_CASE("the inside of a matrix, whose hoods see the rest of it", "[stencil][parts]")
{
    const auto [rows, cols, part] = grids_with_parts();
    const auto a = numbers<int>(rows * cols), before = numbers<int>(rows * cols, 7);
    const auto in = matrix_of(rows, cols, a);
    for_every_border([&, rows = rows, cols = cols, part = part](const auto& border) {
        const auto star = sk::stencil(PART_CROSS, border);
        const auto whole = applied(
            grid{a, rows, cols}, border, [](auto u) { return part_cross(u); }, cross_reach);
        auto out = matrix_of(rows, cols, before);
        part_of(out, part) = star(sk::with_neighbours(part_of(in, part)));
        check_equal(out, replaced(before, whole, cols, part));
        const sk::matrix<int> alone = star(sk::with_neighbours(part_of(in, part)));
        check_equal(alone, cut_out(whole, cols, part));
    });
}

TEST_CASE("a part is added to, in one kernel with its stencil", "[stencil][parts]")
{
    const auto [rows, cols, part] = grids_with_parts();
    const auto a = numbers<int>(rows * cols), before = numbers<int>(rows * cols, 5);
    const auto in = matrix_of(rows, cols, a);
    for_every_border([&, rows = rows, cols = cols, part = part](const auto& border) {
        const auto star = sk::stencil(PART_CROSS, border);
        auto sum = applied(
            grid{a, rows, cols}, border, [](auto u) { return part_cross(u); }, cross_reach);
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += before[i];
        auto out = matrix_of(rows, cols, before);
        part_of(out, part) = part_of(out, part) + star(sk::with_neighbours(part_of(in, part)));
        check_equal(out, replaced(before, sum, cols, part));
    });
}

TEST_CASE("a part of a grid takes what its own stencil gives", "[stencil][parts]")
{
    const std::size_t rows = 61, cols = 37;
    const rectangle part{2, 1, 57, 33};
    auto a = numbers<int>(rows * cols, 3);
    auto m = matrix_of(rows, cols, a);
    const auto mean = sk::stencil(
        SKELRT_FN((sk::hood2<int> u) { return (u(-2, 0) + u(1, 0) + u(0, -1) + u(0, 3)) / 4; }), sk::border::nearest());
    for (int k = 0; k < 4; ++k) {
        part_of(m, part) = mean(sk::with_neighbours(part_of(m, part)));
        const auto whole = applied(grid{a, rows, cols}, sk::border::nearest(),
                                   [](auto u) { return (u(-2, 0) + u(1, 0) + u(0, -1) + u(0, 3)) / 4; });
        a = replaced(a, whole, cols, part);
    }
    check_equal(m, a);
    part_of(m, {10, 10, 5, 5}) = mean(sk::with_neighbours(part_of(m, {12, 11, 5, 5}))); // elsewhere, and over itself
    const auto whole = applied(grid{a, rows, cols}, sk::border::nearest(),
                               [](auto u) { return (u(-2, 0) + u(1, 0) + u(0, -1) + u(0, 3)) / 4; });
    for (std::size_t r = 0; r < 5; ++r)
        for (std::size_t c = 0; c < 5; ++c) a[(10 + r) * cols + 10 + c] = whole[(12 + r) * cols + 11 + c];
    check_equal(m, a);
}

TEST_CASE("ranges of vectors with their neighbours", "[stencil][parts]")
{
    const auto n = sizes();
    const auto a = numbers<int>(n, 3), before = numbers<int>(n, 4);
    const auto x = vector_of(a);
    for (const std::size_t first : {std::size_t{0}, std::min<std::size_t>(n, 1), n / 3, n - n / 5, n})
        for (const std::size_t count : {std::size_t{0}, (n - first) / 2, n - first})
            for_every_border([&](const auto& border) {
                const auto f = sk::stencil(PART_LINE, border);
                const auto whole =
                    applied(grid{a, n > 0 ? std::size_t{1} : 0, n}, border,
                            [](auto u) { return part_line([&](int d) { return u(0, d); }); }, {0, 0, 2, 1});
                auto y = vector_of(before);
                y.range(first, count) = f(sk::with_neighbours(x.range(first, count)));
                check_equal(y, replaced(before, whole, n, {0, first, n > 0 ? std::size_t{1} : 0, count}));
            });
}

TEST_CASE("rows and columns with their neighbours, and hoods along them", "[stencil][parts]")
{
    const std::size_t rows = 40, cols = 53;
    const auto a = numbers<int>(rows * cols, 6);
    const auto m = matrix_of(rows, cols, a);
    const auto along = [](auto u) { return part_line([&](int d) { return u(0, d); }); };
    const auto down = [](auto u) { return part_line([&](int d) { return u(d, 0); }); };
    for_every_border([&](const auto& border) {
        const auto f = sk::stencil(PART_LINE, border);
        const auto by_row = applied(grid{a, rows, cols}, border, along, {0, 0, 2, 1});
        const auto by_column = applied(grid{a, rows, cols}, border, down, {2, 1, 0, 0});
        const sk::vector<int> row = f(sk::with_neighbours(m.row(17).range(5, 20)));
        check_equal(row, cut_out(by_row, cols, {17, 5, 1, 20}));
        const sk::vector<int> of_part = f(sk::with_neighbours(m.sub(3, 4, 30, 40).row(2)));
        check_equal(of_part, cut_out(by_row, cols, {5, 4, 1, 40}));
        const sk::vector<int> column = f(sk::with_neighbours(m.column(50).range(1, 38)));
        check_equal(column, cut_out(by_column, cols, {1, 50, 38, 1}));
        const rectangle part{7, 9, 21, 30};
        const sk::matrix<int> rows_of_part = f.by_row(sk::with_neighbours(part_of(m, part)));
        check_equal(rows_of_part, cut_out(by_row, cols, part));
        const sk::matrix<int> columns_of_part = f.by_column(sk::with_neighbours(part_of(m, part)));
        check_equal(columns_of_part, cut_out(by_column, cols, part));
    });
}

TEST_CASE("parts of a tensor's planes", "[stencil][parts]")
{
    const std::size_t planes = 5, rows = 21, cols = 18;
    const auto a = numbers<int>(planes * rows * cols, 8);
    const sk::tensor<int, 3> t({planes, rows, cols}, a.begin());
    const rectangle part{1, 2, 19, 13};
    for (std::size_t p = 0; p < planes; ++p) {
        const std::vector<int> plane(a.begin() + static_cast<std::ptrdiff_t>(p * rows * cols),
                                     a.begin() + static_cast<std::ptrdiff_t>((p + 1) * rows * cols));
        for_every_border([&](const auto& border) {
            const auto whole = applied(
                grid{plane, rows, cols}, border, [](auto u) { return part_cross(u); }, cross_reach);
            const sk::matrix<int> y = sk::stencil(PART_CROSS, border)(
                sk::with_neighbours(t.plane(p).sub(part.row, part.col, part.rows, part.cols)));
            check_equal(y, cut_out(whole, cols, part));
        });
    }
}

TEST_CASE("positions, elements and weights beside a part count in the part", "[stencil][parts]")
{
    const std::size_t rows = 47, cols = 70;
    const rectangle part{4, 6, 31, 33};
    const auto a = numbers<int>(rows * cols, 2), b = numbers<int>(part.rows * part.cols, 3);
    const auto weights = numbers<int>(part.cols, 4);
    const auto f = sk::stencil(SKELRT_FN((sk::index2 at, sk::hood2<int> u, int mine, sk::vec<int> w) {
                                   return u(-1, 0) + 2 * u(0, 2) + 10 * mine + 100 * w[at.col] + 1000 * (int)at.row;
                               }),
                               sk::border::nearest());
    const auto in = matrix_of(rows, cols, a);
    const sk::matrix<int> y =
        f(sk::with_neighbours(part_of(in, part)), matrix_of(part.rows, part.cols, b), vector_of(weights));
    const auto seen_there = cut_out(
        applied(grid{a, rows, cols}, sk::border::nearest(), [](auto u) { return u(-1, 0) + 2 * u(0, 2); }), cols, part);
    check_equal(y, expected(seen_there.size(), [&](std::size_t i) {
                    return seen_there[i] + 10 * b[i] + 100 * weights[i % part.cols] +
                           1000 * static_cast<int>(i / part.cols);
                }));
    const auto number = sk::map(SKELRT_FN((sk::index1 i, int v) { return v + (int)i.i; }));
    const auto left = sk::stencil(SKELRT_FN((sk::hood1<int> u) { return u(-1); }), sk::border::constant(0));
    const auto x = vector_of(a);
    const sk::vector<int> z = number(left(sk::with_neighbours(x.range(100, 1000))));
    check_equal(z, expected(1000, [&](std::size_t i) { return a[99 + i] + static_cast<int>(i); }));
}

TEST_CASE("two hoods, and two stencils, over parts that lie alike", "[stencil][parts]")
{
    const std::size_t rows = 33, cols = 44;
    const rectangle part{1, 1, 31, 42};
    const auto a = numbers<int>(rows * cols, 2), b = numbers<int>(rows * cols, 3);
    const auto m = matrix_of(rows, cols, a), k = matrix_of(rows, cols, b);
    const auto both = sk::stencil(SKELRT_FN((sk::hood2<int> u, sk::hood2<int> v) { return u(-1, 0) + 3 * v(0, 1); }),
                                  sk::border::constant(0));
    const sk::matrix<int> y = both(sk::with_neighbours(part_of(m, part)), sk::with_neighbours(part_of(k, part)));
    const auto up = applied(grid{a, rows, cols}, sk::border::constant(0), [](auto u) { return u(-1, 0); });
    const auto right = applied(grid{b, rows, cols}, sk::border::constant(0), [](auto u) { return u(0, 1); });
    const auto sum = expected(a.size(), [&](std::size_t i) { return up[i] + 3 * right[i]; });
    check_equal(y, cut_out(sum, cols, part));
    const auto above = sk::stencil(SKELRT_FN((sk::hood2<int> u) { return u(-1, 0); }), sk::border::constant(0));
    const auto beside = sk::stencil(SKELRT_FN((sk::hood2<int> u) { return 3 * u(0, 1); }), sk::border::constant(0));
    const sk::matrix<int> z =
        above(sk::with_neighbours(part_of(m, part))) + beside(sk::with_neighbours(part_of(k, part)));
    check_equal(z, cut_out(sum, cols, part));
    const auto total = sk::reduce(sk::plus, 0);
    const int got = total(above(sk::with_neighbours(part_of(m, part))));
    int want = 0;
    for (const int v : cut_out(up, cols, part)) want += v;
    REQUIRE(got == want);
}

TEST_CASE("hoods over parts that lie otherwise are an error", "[stencil][parts]")
{
    const sk::matrix<int> m(20, 20, 1), other(20, 21, 1), small(5, 5, 1);
    sk::matrix<int> y;
    const auto both = sk::stencil(SKELRT_FN((sk::hood2<int> u, sk::hood2<int> v) { return u(-1, 0) + v(0, 1); }),
                                  sk::border::constant(0));
    using Catch::Contains;
    REQUIRE_THROWS_WITH(y = both(sk::with_neighbours(m.sub(1, 1, 5, 5)), sk::with_neighbours(m.sub(2, 1, 5, 5))),
                        Contains("(1, 1)") && Contains("(2, 1)") && Contains("copy one of them"));
    REQUIRE_THROWS_WITH(y = both(sk::with_neighbours(m.sub(1, 1, 5, 5)), sk::with_neighbours(other.sub(1, 1, 5, 5))),
                        Contains("20 x 20") && Contains("20 x 21"));
    REQUIRE_THROWS_WITH(y = both(small, sk::with_neighbours(m.sub(1, 1, 5, 5))), Contains("a whole container"));
}

TEST_CASE("random parts, one after the other", "[stencil][parts]")
{
    std::mt19937 random(11);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % (n + 1)); };
    std::size_t rows = 0, cols = 0;
    std::vector<int> a, b;
    sk::matrix<int> in, out;
    const auto star = sk::stencil(PART_CROSS, sk::border::constant(9));
    const auto kept = sk::stencil(PART_CROSS, sk::border::none());
    for (int k = 0; k < 60; ++k) {
        if (k % 10 == 0) {
            rows = 1 + below(70), cols = 1 + below(90);
            a = numbers<int>(rows * cols, static_cast<unsigned>(k)), b = numbers<int>(rows * cols, 99);
            in = matrix_of(rows, cols, a), out = matrix_of(rows, cols, b);
        }
        rectangle p{};
        p.rows = below(rows), p.cols = below(cols);
        p.row = below(rows - p.rows), p.col = below(cols - p.cols);
        const bool back = k % 2 == 1, keeps = k % 3 == 0;
        auto& from = back ? out : in;
        auto& to = back ? in : out;
        auto& plain_from = back ? b : a;
        auto& plain_to = back ? a : b;
        if (keeps) part_of(to, p) = part_of(to, p) - kept(sk::with_neighbours(part_of(from, p)));
        else part_of(to, p) = star(sk::with_neighbours(part_of(from, p)));
        const auto f = [](auto u) { return part_cross(u); };
        auto whole = keeps ? applied(grid{plain_from, rows, cols}, sk::border::none(), f, cross_reach)
                           : applied(grid{plain_from, rows, cols}, sk::border::constant(9), f);
        if (keeps)
            for (std::size_t i = 0; i < whole.size(); ++i) whole[i] = plain_to[i] - whole[i];
        plain_to = replaced(plain_to, whole, cols, p);
        for (int& v : plain_to) v %= 1000;
        auto& small = to;
        small = small % 1000;
    }
    check_equal(in, a);
    check_equal(out, b);
}
