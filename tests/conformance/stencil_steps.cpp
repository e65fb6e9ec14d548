// SPDX-License-Identifier: BSD-3-Clause
#include "stencil_support.hpp"

using namespace test;

/// Iterations, conditions, red and black, sequences: the same as one step after the other.

namespace
{

/// Rounds, so that a step in another order would be seen.
#define MIX                                                                                                            \
    SKELRT_FN((sk::hood2<int> u) {                                                                                     \
        return (u(0, 0) + 3 * u(-1, 0) + 5 * u(2, 0) + 7 * u(0, -2) + 2 * u(0, 1) + u(1, 1)) / 7 % 100003;             \
    })

template <class At>
int mix(At u)
{
    return (u(0, 0) + 3 * u(-1, 0) + 5 * u(2, 0) + 7 * u(0, -2) + 2 * u(0, 1) + u(1, 1)) / 7 % 100003;
}

template <class Border>
std::vector<int> mixed(std::vector<int> a, std::size_t rows, std::size_t cols, const Border& border, int steps)
{
    for (int k = 0; k < steps; ++k)
        a = applied(grid{a, rows, cols}, border, [](auto u) { return mix(u); }, {1, 2, 2, 1});
    return a;
}

template <class Border>
void check_iterations(const Border& border)
{
    const auto [rows, cols] =
        GENERATE(table<std::size_t, std::size_t>({{1, 1}, {2, 3}, {40, 30}, {1, 400}, {400, 1}, {130, 1100}}));
    const int steps = GENERATE(0, 1, 2, 9, 21);
    const auto a = numbers<int>(rows * cols, 6);
    const auto m = matrix_of(rows, cols, a);
    const auto wanted = mixed(a, rows, cols, border, steps);
    const auto f = sk::stencil(MIX, border);
    const sk::matrix<int> y = f.iterate(static_cast<std::size_t>(steps), m);
    check_equal(y, wanted);
    check_equal(m, a); // untouched
    auto x = m;
    x = f.iterate(static_cast<std::size_t>(steps), x);
    check_equal(x, wanted);
}

} // namespace

TEST_CASE("iterations with a constant border", "[stencil][iterate]") { check_iterations(sk::border::constant(4)); }
TEST_CASE("iterations with a cyclic border", "[stencil][iterate]") { check_iterations(sk::border::cyclic()); }
TEST_CASE("iterations with the nearest as border", "[stencil][iterate]") { check_iterations(sk::border::nearest()); }
TEST_CASE("iterations without a border", "[stencil][iterate]") { check_iterations(sk::border::none()); }

TEST_CASE("iterations along a vector", "[stencil][iterate]")
{
    const std::size_t n = GENERATE(1, 5, 1000, 50021);
    const std::size_t steps = GENERATE(1, 7, 40);
    auto a = numbers<int>(n, 7);
    const auto x = vector_of(a);
    const auto f = sk::stencil(SKELRT_FN((sk::hood1<int> u, int k) { return (u(-1) + 2 * u(0) + u(1) + k) / 4; }),
                               sk::border::cyclic());
    const sk::vector<int> y = f.iterate(steps, x, 2);
    for (std::size_t k = 0; k < steps; ++k)
        a = applied(grid{a, 1, n}, sk::border::cyclic(),
                    [](auto u) { return (u(0, -1) + 2 * u(0, 0) + u(0, 1) + 2) / 4; });
    check_equal(y, a);
}

TEST_CASE("iterations with further operands and positions", "[stencil][iterate]")
{
    const std::size_t rows = 61, cols = 47;
    auto a = numbers<int>(rows * cols, 8);
    const auto b = numbers<int>(rows * cols, 9), w = numbers<int>(3, 10);
    auto x = matrix_of(rows, cols, a);
    const auto f =
        sk::stencil(SKELRT_FN((sk::index2 i, sk::hood2<int> u, int b, sk::vec<int> w, int k) {
                        return (w[0] * u(-1, 0) + w[1] * u(1, 0) + w[2] * u(0, 1) + b + k + (int)(i.row % 3)) / 9;
                    }),
                    sk::border::nearest());
    x = f.iterate(5, x, matrix_of(rows, cols, b), vector_of(w), 5);
    for (int k = 0; k < 5; ++k)
        a = applied(grid{a, rows, cols}, sk::border::nearest(), [&](auto u, std::size_t r, std::size_t c) {
            return (w[0] * u(-1, 0) + w[1] * u(1, 0) + w[2] * u(0, 1) + b[r * cols + c] + 5 + static_cast<int>(r % 3)) /
                   9;
        });
    check_equal(x, a);
}

TEST_CASE("iterations until a condition", "[stencil][iterate]")
{
    const std::size_t rows = 40, cols = 50, check_every = GENERATE(1, 4);
    auto a = numbers<int>(rows * cols, 11);
    for (int& v : a) v *= 1000;
    auto x = matrix_of(rows, cols, a);
    const auto border = sk::border::constant(500);
    const auto mean =
        sk::stencil(SKELRT_FN((sk::hood2<int> u) { return (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1)) / 4; }), border);
    const auto change = sk::map(SKELRT_FN((int a, int b) { return a > b ? a - b : b - a; }));
    const auto largest = sk::reduce(SKELRT_FN((int a, int b) { return a > b ? a : b; }), 0);
    std::size_t asked = 0, steps = 0;
    x = mean.iterate_until(
        [&](const sk::matrix<int>& now, const sk::matrix<int>& before, std::size_t made) {
            ++asked;
            steps = made;
            const int moved = largest(change(now, before));
            return moved < 60;
        },
        check_every, x);
    int moved = 0;
    std::size_t wanted = 0;
    do {
        auto b = a;
        for (std::size_t k = 0; k < check_every; ++k) {
            b = a;
            a = applied(grid{a, rows, cols}, border,
                        [](auto u) { return (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1)) / 4; });
        }
        moved = 0;
        for (std::size_t i = 0; i < a.size(); ++i) moved = std::max(moved, std::abs(a[i] - b[i]));
        wanted += check_every;
    } while (moved >= 60);
    check_equal(x, a);
    REQUIRE(steps == wanted);
    REQUIRE(asked == wanted / check_every);
}

TEST_CASE("red and black", "[stencil][iterate]")
{
    const auto [rows, cols] = GENERATE(table<std::size_t, std::size_t>({{1, 1}, {3, 4}, {40, 31}, {65, 66}}));
    auto a = numbers<int>(rows * cols, 12);
    auto x = matrix_of(rows, cols, a);
    const auto border = sk::border::constant(7);
    const auto f = sk::stencil(
        SKELRT_FN((sk::hood2<int> u) { return (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1) + 1) / 3; }), border);
    x = f.red_black(4, x);
    for (int half = 0; half < 8; ++half) {
        const auto b = applied(grid{a, rows, cols}, border,
                               [](auto u) { return (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1) + 1) / 3; });
        for (std::size_t i = 0; i < a.size(); ++i)
            if ((i / cols + i % cols) % 2 == static_cast<std::size_t>(half % 2)) a[i] = b[i];
    }
    check_equal(x, a);
}

namespace
{

/// `steps` full steps, as the documentation says: a half step sees what the one before it left, and nothing of its own.
template <class Border, class F>
std::vector<int> alternated(std::vector<int> a, std::size_t rows, std::size_t cols, const Border& border, int steps,
                            F f)
{
    for (int half = 0; half < 2 * steps; ++half) {
        const auto b = applied(grid{a, rows, cols}, border, f, {1, 1, 1, 1});
        for (std::size_t i = 0; i < a.size(); ++i)
            if ((i / cols + i % cols) % 2 == static_cast<std::size_t>(half % 2)) a[i] = b[i];
    }
    return a;
}

/// With an operand that moves with the position, a view of a larger matrix, and one that does not; and with the
/// position.
template <class Border>
void check_red_black(const Border& border)
{
    const auto [rows, cols] = GENERATE(table<std::size_t, std::size_t>(
        {{1, 1}, {2, 1}, {1, 6}, {3, 3}, {4, 5}, {40, 31}, {65, 66}, {1, 700}, {301, 2}, {257, 300}, {128, 129}}));
    const int steps = GENERATE(1, 2, 13);
    const auto a = numbers<int>(rows * cols, 6), b = numbers<int>((rows + 2) * (cols + 3), 9);
    const auto m = matrix_of(rows, cols, a), large = matrix_of(rows + 2, cols + 3, b);
    const std::size_t n = cols;
    const auto f = sk::stencil(SKELRT_FN((sk::index2 at, sk::hood2<int> u, int own, int all) {
                                   return (u(0, 0) + 3 * u(-1, 0) + 5 * u(1, 0) + 7 * u(0, -1) + 2 * u(0, 1) + own +
                                           all + (int)(2 * at.row + at.col)) /
                                          7 % 100003;
                               }),
                               border);
    const auto wanted = alternated(a, rows, cols, border, steps, [&](auto u, std::size_t r = 0, std::size_t c = 0) {
        return (u(0, 0) + 3 * u(-1, 0) + 5 * u(1, 0) + 7 * u(0, -1) + 2 * u(0, 1) + b[(r + 1) * (n + 3) + c + 2] + 11 +
                static_cast<int>(2 * r + c)) /
               7 % 100003;
    });
    sk::matrix<int> x = f.red_black(static_cast<std::size_t>(steps), m, large.sub(1, 2, rows, cols), 11);
    check_equal(x, wanted);
    check_equal(m, a); // untouched
    x = m;
    x = f.red_black(static_cast<std::size_t>(steps), x, large.sub(1, 2, rows, cols), 11);
    check_equal(x, wanted);
}

} // namespace

TEST_CASE("red and black with a constant border", "[stencil][iterate]") { check_red_black(sk::border::constant(4)); }
TEST_CASE("red and black with a cyclic border", "[stencil][iterate]") { check_red_black(sk::border::cyclic()); }
TEST_CASE("red and black with the nearest as border", "[stencil][iterate]") { check_red_black(sk::border::nearest()); }
TEST_CASE("red and black without a border", "[stencil][iterate]") { check_red_black(sk::border::none()); }

TEST_CASE("more half steps than one task makes", "[stencil][iterate]")
{
    const std::size_t rows = 12, cols = 18;
    const int steps = GENERATE(128, 129, 300);
    const auto a = numbers<int>(rows * cols, 15);
    const auto border = sk::border::cyclic();
    const auto f = sk::stencil(
        SKELRT_FN((sk::hood2<int> u) { return (2 * u(-1, 0) + u(1, 0) + 3 * u(0, -1) + u(0, 1) + u(0, 0)) % 1009; }),
        border);
    const sk::matrix<int> x = f.red_black(static_cast<std::size_t>(steps), matrix_of(rows, cols, a));
    check_equal(x, alternated(a, rows, cols, border, steps, [](auto u) {
                    return (2 * u(-1, 0) + u(1, 0) + 3 * u(0, -1) + u(0, 1) + u(0, 0)) % 1009;
                }));
}

TEST_CASE("red and black where hoods see their own color", "[stencil][iterate]")
{
    const auto [rows, cols] = GENERATE(table<std::size_t, std::size_t>({{3, 4}, {40, 31}, {65, 66}}));
    const auto a = numbers<int>(rows * cols, 14);
    const auto x = matrix_of(rows, cols, a);
    const auto border = sk::border::constant(7);
    const auto f = sk::stencil(
        SKELRT_FN((sk::hood2<int> u) { return (u(-1, -1) + u(1, 0) + u(0, -1) + 2 * u(1, 1) + 1) / 3 % 1009; }),
        border);
    const sk::matrix<int> y = f.red_black(5, x);
    check_equal(y, alternated(a, rows, cols, border, 5,
                              [](auto u) { return (u(-1, -1) + u(1, 0) + u(0, -1) + 2 * u(1, 1) + 1) / 3 % 1009; }));
}

TEST_CASE("sequences of stencils and maps", "[stencil][iterate]")
{
    const std::size_t rows = 50, cols = 60;
    auto a = numbers<int>(rows * cols, 13);
    const auto m = matrix_of(rows, cols, a);
    const auto up = sk::stencil(SKELRT_FN((sk::hood2<int> u) { return u(-1, 0) + u(0, 0); }), sk::border::cyclic());
    const auto left =
        sk::stencil(SKELRT_FN((sk::hood2<int> u) { return u(0, -1) - 2 * u(0, 0); }), sk::border::nearest());
    const auto half = sk::map(SKELRT_FN((int a) { return a / 2; }));
    const auto all = sk::sequence(up, left, half);
    const auto once = [&](const std::vector<int>& v) {
        auto b = applied(grid{v, rows, cols}, sk::border::cyclic(), [](auto u) { return u(-1, 0) + u(0, 0); });
        b = applied(grid{b, rows, cols}, sk::border::nearest(), [](auto u) { return u(0, -1) - 2 * u(0, 0); });
        for (int& x : b) x /= 2;
        return b;
    };
    const sk::matrix<int> y = all(m);
    check_equal(y, once(a));
    const sk::matrix<int> z = all.iterate(3, m);
    check_equal(z, once(once(once(a))));
    check_equal(m, a);
}
