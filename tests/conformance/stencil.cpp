// SPDX-License-Identifier: BSD-3-Clause
#include "stencil_support.hpp"

using namespace test;

/// Stencils on vectors and matrices: every border, every side, shapes smaller than the reach, several tiles.

namespace
{

#define FIVE                                                                                                           \
    SKELRT_FN((sk::hood2<int> u) { return u(0, 0) * 3 + u(-1, 0) * 5 + u(1, 0) * 7 - u(0, -1) * 11 + u(0, 1) * 13; })

template <class At>
int five(At u)
{
    return u(0, 0) * 3 + u(-1, 0) * 5 + u(1, 0) * 7 - u(0, -1) * 11 + u(0, 1) * 13;
}

#define WIDE SKELRT_FN((sk::hood2<int> u) { return u(-3, 1) + 2 * u(1, -2) + 4 * u(0, 4) - u(2, 2); })

template <class At>
int wide(At u)
{
    return u(-3, 1) + 2 * u(1, -2) + 4 * u(0, 4) - u(2, 2);
}

#define LINE SKELRT_FN((sk::hood1<int> u) { return u(-2) + 3 * u(0) - 5 * u[3]; })

template <class At>
int line(At u)
{
    return u(-2) + 3 * u(0) - 5 * u(3);
}

auto shapes()
{
    return GENERATE(table<std::size_t, std::size_t>(
        {{0, 0}, {0, 5}, {1, 1}, {1, 2}, {2, 1}, {3, 3}, {7, 5}, {1, 300}, {300, 1}, {37, 41}, {64, 130}, {203, 67}}));
}

} // namespace

TEST_CASE("five points, every border", "[stencil]")
{
    const auto [rows, cols] = shapes();
    const auto a = numbers<int>(rows * cols);
    const auto m = matrix_of(rows, cols, a);
    const grid g{a, rows, cols};
    const auto reference = [](auto u) { return five(u); };
    const sk::matrix<int> constant = sk::stencil(FIVE, sk::border::constant(9))(m);
    check_equal(constant, applied(g, sk::border::constant(9), reference));
    const sk::matrix<int> cyclic = sk::stencil(FIVE, sk::border::cyclic())(m);
    check_equal(cyclic, applied(g, sk::border::cyclic(), reference));
    const sk::matrix<int> nearest = sk::stencil(FIVE, sk::border::nearest())(m);
    check_equal(nearest, applied(g, sk::border::nearest(), reference));
    const sk::matrix<int> none = sk::stencil(FIVE, sk::border::none())(m);
    check_equal(none, applied(g, sk::border::none(), reference, {1, 1, 1, 1}));
}

TEST_CASE("another reach on every side", "[stencil]")
{
    const auto [rows, cols] = shapes();
    const auto a = numbers<int>(rows * cols, 2);
    const auto m = matrix_of(rows, cols, a);
    const grid g{a, rows, cols};
    const auto reference = [](auto u) { return wide(u); };
    const sk::matrix<int> constant = sk::stencil(WIDE, sk::border::constant(-1))(m);
    check_equal(constant, applied(g, sk::border::constant(-1), reference));
    const sk::matrix<int> cyclic = sk::stencil(WIDE, sk::border::cyclic())(m);
    check_equal(cyclic, applied(g, sk::border::cyclic(), reference));
    const sk::matrix<int> nearest = sk::stencil(WIDE, sk::border::nearest())(m);
    check_equal(nearest, applied(g, sk::border::nearest(), reference));
    const sk::matrix<int> none = sk::stencil(WIDE, sk::border::none())(m);
    check_equal(none, applied(g, sk::border::none(), reference, {3, 2, 2, 4}));
}

TEST_CASE("along a vector, every border", "[stencil]")
{
    const auto n = sizes();
    const auto a = numbers<int>(n, 3);
    const auto x = vector_of(a);
    const grid g{a, n > 0 ? std::size_t{1} : 0, n};
    const auto reference = [](auto u) { return line([&](int d) { return u(0, d); }); };
    const sk::vector<int> constant = sk::stencil(LINE, sk::border::constant(4))(x);
    check_equal(constant, applied(g, sk::border::constant(4), reference));
    const sk::vector<int> cyclic = sk::stencil(LINE, sk::border::cyclic())(x);
    check_equal(cyclic, applied(g, sk::border::cyclic(), reference));
    const sk::vector<int> nearest = sk::stencil(LINE, sk::border::nearest())(x);
    check_equal(nearest, applied(g, sk::border::nearest(), reference));
    const sk::vector<int> none = sk::stencil(LINE, sk::border::none())(x);
    check_equal(none, applied(g, sk::border::none(), reference, {0, 0, 2, 3}));
}

TEST_CASE("along the rows, down the columns, and both", "[stencil]")
{
    const auto [rows, cols] = shapes();
    const auto a = numbers<int>(rows * cols, 4);
    const auto m = matrix_of(rows, cols, a);
    const grid g{a, rows, cols};
    const auto along = [](auto u) { return line([&](int d) { return u(0, d); }); };
    const auto down = [](auto u) { return line([&](int d) { return u(d, 0); }); };
    const auto check = [&](const auto& border) {
        const auto filter = sk::stencil(LINE, border);
        const sk::matrix<int> by_row = filter.by_row(m);
        const auto wanted = applied(g, border, along, {0, 0, 2, 3});
        check_equal(by_row, wanted);
        const sk::matrix<int> by_column = filter.by_column(m);
        check_equal(by_column, applied(g, border, down, {2, 3, 0, 0}));
        const sk::matrix<int> both = filter.separable(m);
        check_equal(both, applied(grid{wanted, rows, cols}, border, down, {2, 3, 0, 0}));
    };
    check(sk::border::constant(5));
    check(sk::border::cyclic());
    check(sk::border::nearest());
    check(sk::border::none());
}

TEST_CASE("a grid replaced by its own stencil", "[stencil]")
{
    const std::size_t rows = 70, cols = 33;
    auto a = numbers<int>(rows * cols, 5);
    auto m = matrix_of(rows, cols, a);
    const auto mean = sk::stencil(
        SKELRT_FN((sk::hood2<int> u) { return (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1)) / 4; }), sk::border::nearest());
    for (int k = 0; k < 5; ++k) {
        m = mean(m);
        a = applied(grid{a, rows, cols}, sk::border::nearest(),
                    [](auto u) { return (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1)) / 4; });
    }
    check_equal(m, a);
}
