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
