// SPDX-License-Identifier: BSD-3-Clause
#include "stencil_support.hpp"

#include <random>

using namespace test;

/// What stencils take and where their results go: types, weights, nested calls, views, random shapes.

SKELRT_SHARED(struct stencil_cell {
    float r, g;
    int n;
};)

namespace
{

const auto twice = sk::map(SKELRT_FN((int a) { return 2 * a; }));
const auto sum_of_two = sk::map(SKELRT_FN((int a, int b) { return a + b; }));
const auto cross =
    sk::stencil(SKELRT_FN((sk::hood2<int> u) { return u(-1, 0) + 2 * u(1, 0) + 3 * u(0, -1) + 4 * u(0, 1); }),
                sk::border::constant(1));

int crossed(const grid& g, std::size_t i)
{
    const auto r = static_cast<std::ptrdiff_t>(i / g.cols), c = static_cast<std::ptrdiff_t>(i % g.cols);
    const auto u = [&](int dr, int dc) { return seen(g, r + dr, c + dc, sk::border::constant(1)); };
    return u(-1, 0) + 2 * u(1, 0) + 3 * u(0, -1) + 4 * u(0, 1);
}

} // namespace

TEMPLATE_TEST_CASE("stencils of every arithmetic type", "[stencil]", signed char, unsigned short, int, unsigned long,
                   float, double)
{
    using T = TestType;
    const std::size_t rows = 45, cols = 29;
    const auto a = numbers<T>(rows * cols);
    const auto f = sk::stencil(
        sk::function([](sk::hood2<T> u) { return static_cast<T>(u(-1, 0) + u(1, 1)); },
                     sizeof(T) == 1   ? "(sk::hood2<signed char> u) { return (signed char)(u(-1, 0) + u(1, 1)); }"
                     : sizeof(T) == 2 ? "(sk::hood2<unsigned short> u) { return (unsigned short)(u(-1, 0) + u(1, 1)); }"
                     : std::is_same_v<T, int>    ? "(sk::hood2<int> u) { return u(-1, 0) + u(1, 1); }"
                     : std::is_same_v<T, float>  ? "(sk::hood2<float> u) { return u(-1, 0) + u(1, 1); }"
                     : std::is_same_v<T, double> ? "(sk::hood2<double> u) { return u(-1, 0) + u(1, 1); }"
                                                 : "(sk::hood2<unsigned long> u) { return u(-1, 0) + u(1, 1); }",
                     __FILE__, __LINE__),
        sk::border::constant(2));
    const sk::matrix<T> y = f(matrix_of(rows, cols, a));
    check_equal(y, applied(basic_grid{a, rows, cols}, sk::border::constant(2),
                           [](auto u) { return static_cast<T>(u(-1, 0) + u(1, 1)); }));
}

TEST_CASE("a stencil of structs", "[stencil]")
{
    const std::size_t rows = 33, cols = 41;
    std::vector<stencil_cell> a(rows * cols);
    for (std::size_t i = 0; i < a.size(); ++i)
        a[i] = {static_cast<float>(i % 7), static_cast<float>(i % 11), static_cast<int>(i % 5)};
    const auto f = sk::stencil(SKELRT_FN((sk::hood2<stencil_cell> u) {
                                   stencil_cell p;
                                   p.r = u(-1, 0).r + u(0, 1).g;
                                   p.g = u(1, 0).g;
                                   p.n = u(0, 0).n + u(0, -1).n;
                                   return p;
                               }),
                               sk::border::constant(stencil_cell{1, 2, 3}));
    const sk::matrix<stencil_cell> y = f(sk::matrix<stencil_cell>(rows, cols, a.begin()));
    const auto wanted = applied(basic_grid{a, rows, cols}, sk::border::constant(stencil_cell{1, 2, 3}), [](auto u) {
        return stencil_cell{u(-1, 0).r + u(0, 1).g, u(1, 0).g, u(0, 0).n + u(0, -1).n};
    });
    const auto got = values(y);
    for (std::size_t i = 0; i < got.size(); ++i)
        REQUIRE((got[i].r == wanted[i].r && got[i].g == wanted[i].g && got[i].n == wanted[i].n));
}

TEST_CASE("weights, and a reach that the text does not tell", "[stencil]")
{
    const std::size_t rows = 37, cols = 64;
    const auto a = numbers<int>(rows * cols), w = numbers<int>(15, 3);
    const auto f = sk::stencil(SKELRT_FN((sk::hood2<int> u, sk::mat<int> w) {
                                   int sum = 0;
                                   for (int r = 0; r < 3; ++r)
                                       for (int c = 0; c < 5; ++c) sum += w(r, c) * u(r - 1, c - 2);
                                   return sum;
                               }),
                               sk::border::nearest(), sk::reach(1, 2));
    const sk::matrix<int> y = f(matrix_of(rows, cols, a), matrix_of(3, 5, w));
    check_equal(y, applied(grid{a, rows, cols}, sk::border::nearest(), [&](auto u) {
                    int sum = 0;
                    for (int r = 0; r < 3; ++r)
                        for (int c = 0; c < 5; ++c) sum += w[static_cast<std::size_t>(r * 5 + c)] * u(r - 1, c - 2);
                    return sum;
                }));
}

TEST_CASE("dense weights of every size", "[stencil]")
{
    const auto by_number = [](const sk::matrix<int>& m, const auto& w, int far) {
        return sk::matrix<int>(sk::stencil(SKELRT_FN((sk::hood2<int> u, sk::mat<int> w, int far) {
                                               int sum = 0;
                                               for (int r = -far; r <= far; ++r)
                                                   for (int c = -far; c <= far; ++c)
                                                       sum += w(r + far, c + far) * u(r, c);
                                               return sum;
                                           }),
                                           sk::border::nearest(), sk::reach(static_cast<std::size_t>(far)))(m, w, far));
    };
    const auto by_size = [](const sk::matrix<int>& m, const auto& w, int far) {
        return sk::matrix<int>(sk::stencil(SKELRT_FN((sk::hood2<int> u, sk::mat<int> w) {
                                               int sum = 0;
                                               const int rows = (int)w.rows() / 2, cols = (int)w.cols() / 2;
                                               for (int r = -rows; r <= rows; ++r)
                                                   for (int c = -cols; c <= cols; ++c)
                                                       sum += w(r + rows, c + cols) * u(r, c);
                                               return sum;
                                           }),
                                           sk::border::none(), sk::reach(static_cast<std::size_t>(far)))(m, w));
    };
    const auto without = [](const sk::matrix<int>& m, int far) {
        return sk::matrix<int>(sk::stencil(SKELRT_FN((sk::hood2<int> u, int far) {
                                               int sum = 0;
                                               for (int r = -far; r <= far; ++r)
                                                   for (int c = 0; c <= far; ++c) sum += (r + 2 * c) * u(r, c);
                                               return sum;
                                           }),
                                           sk::border::constant(3),
                                           sk::reach(static_cast<std::size_t>(far) + 1))(m, far));
    };
    const auto [rows, cols] =
        GENERATE(table<std::size_t, std::size_t>({{1, 1}, {3, 5}, {70, 40}, {9, 700}, {41, 333}}));
    const auto a = numbers<int>(rows * cols);
    const grid g{a, rows, cols};
    const auto m = matrix_of(rows, cols, a);
    for (const int far : {0, 1, 2, 3, 5, 7, 8}) {
        const auto width = static_cast<std::size_t>(2 * far + 1);
        const auto large = numbers<int>((width + 1) * (width + 3), 3);
        const auto weight = [&](std::ptrdiff_t r, std::ptrdiff_t c, std::size_t ld) {
            return large[static_cast<std::size_t>(r + far) * ld + static_cast<std::size_t>(c + far)];
        };
        const auto summed = [&](std::size_t ld) {
            return [&, ld](auto u) {
                int sum = 0;
                for (std::ptrdiff_t r = -far; r <= far; ++r)
                    for (std::ptrdiff_t c = -far; c <= far; ++c) sum += weight(r, c, ld) * u(r, c);
                return sum;
            };
        };
        const auto w = matrix_of(width, width, large), around = matrix_of(width + 1, width + 3, large);
        check_equal(by_number(m, w, far), applied(g, sk::border::nearest(), summed(width)));
        check_equal(by_number(m, around, far), applied(g, sk::border::nearest(), summed(width + 3)));
        check_equal(by_number(m, around.sub(0, 0, width, width), far),
                    applied(g, sk::border::nearest(), summed(width + 3)));
        check_equal(by_size(m, w, far), applied(g, sk::border::none(), summed(width), {far, far, far, far}));
        check_equal(without(m, far), applied(g, sk::border::constant(3), [&](auto u) {
                        int sum = 0;
                        for (std::ptrdiff_t r = -far; r <= far; ++r)
                            for (std::ptrdiff_t c = 0; c <= far; ++c) sum += static_cast<int>(r + 2 * c) * u(r, c);
                        return sum;
                    }));
    }
}

TEST_CASE("one function, several reaches", "[stencil]")
{
    const std::size_t n = 500;
    const auto a = numbers<int>(n);
    const auto x = vector_of(a);
    for (int far = 1; far < 40; far *= 3) {
        const auto f = sk::stencil(
            SKELRT_FN((sk::hood1<int> u, int far) { return u(-far) + 10 * u(far / 2); }), sk::border::constant(6),
            sk::reach(sk::sides(static_cast<std::size_t>(far), static_cast<std::size_t>(far / 2))));
        const sk::vector<int> y = f(x, far);
        check_equal(y, applied(grid{a, 1, n}, sk::border::constant(6),
                               [&](auto u) { return u(0, -far) + 10 * u(0, far / 2); }));
    }
}

TEST_CASE("elements, uniforms, scalars and positions beside a hood", "[stencil]")
{
    const std::size_t rows = 30, cols = 77;
    const auto a = numbers<int>(rows * cols), b = numbers<int>(rows * cols, 2);
    sk::scalar<int> s(5);
    const auto f = sk::stencil(SKELRT_FN((sk::index2 i, sk::hood2<int> u, int mine, int k, int s) {
                                   return u(0, -1) + 10 * mine + 100 * k + 1000 * s + (int)i.row * (int)i.col;
                               }),
                               sk::border::cyclic());
    const sk::matrix<int> y = f(matrix_of(rows, cols, a), matrix_of(rows, cols, b), 3, s);
    check_equal(y, applied(grid{a, rows, cols}, sk::border::cyclic(), [&](auto u, std::size_t r, std::size_t c) {
                    return u(0, -1) + 10 * b[r * cols + c] + 300 + 5000 + static_cast<int>(r * c);
                }));
}

TEST_CASE("two hoods, of two grids", "[stencil]")
{
    const std::size_t rows = 52, cols = 23;
    const auto a = numbers<int>(rows * cols);
    const auto b = numbers<float>(rows * cols, 2);
    const auto f = sk::stencil(SKELRT_FN((sk::hood2<int> u, sk::hood2<float> v) { return u(-1, 0) + 10.0f * v(1, 1); }),
                               sk::border::constant(8));
    const sk::matrix<float> y = f(matrix_of(rows, cols, a), matrix_of(rows, cols, b));
    check_equal(y, expected(rows * cols, [&](std::size_t i) {
                    const auto r = static_cast<std::ptrdiff_t>(i / cols), c = static_cast<std::ptrdiff_t>(i % cols);
                    return static_cast<float>(seen(grid{a, rows, cols}, r - 1, c, sk::border::constant(8))) +
                           10.0f * seen(basic_grid{b, rows, cols}, r + 1, c + 1, sk::border::constant(8));
                }));
}

TEST_CASE("stencils nest in maps, maps in stencils, and both in reductions", "[stencil][fusion]")
{
    const std::size_t rows = 48, cols = 35;
    const auto a = numbers<int>(rows * cols);
    const auto m = matrix_of(rows, cols, a);
    const grid g{a, rows, cols};
    sk::matrix<int> y = twice(cross(m));
    check_equal(y, expected(a.size(), [&](std::size_t i) { return 2 * crossed(g, i); }));
    y = sum_of_two(cross(m), twice(m));
    check_equal(y, expected(a.size(), [&](std::size_t i) { return crossed(g, i) + 2 * a[i]; }));
    const auto wide = sk::stencil(SKELRT_FN((sk::hood2<int> u) { return u(-3, 2); }), sk::border::constant(1));
    y = sum_of_two(cross(m), wide(m)); // two shapes in one kernel
    check_equal(y, expected(a.size(), [&](std::size_t i) {
                    return crossed(g, i) + seen(g, static_cast<std::ptrdiff_t>(i / cols) - 3,
                                                static_cast<std::ptrdiff_t>(i % cols) + 2, sk::border::constant(1));
                }));
    y = cross(twice(m));
    auto doubled = a;
    for (int& v : doubled) v *= 2;
    check_equal(y, expected(a.size(), [&](std::size_t i) { return crossed({doubled, rows, cols}, i); }));
    y = cross(cross(m));
    const auto once = expected(a.size(), [&](std::size_t i) { return crossed(g, i); });
    check_equal(y, expected(a.size(), [&](std::size_t i) { return crossed({once, rows, cols}, i); }));
    const auto kept = sk::stencil(SKELRT_FN((sk::hood2<int> u) { return u(-1, 0) + u(1, 0); }), sk::border::none());
    y = twice(kept(m)); // the edge is doubled, too
    check_equal(y, expected(a.size(), [&](std::size_t i) {
                    const bool edge = i < cols || i >= a.size() - cols;
                    return 2 * (edge ? a[i] : a[i - cols] + a[i + cols]);
                }));
    const auto sum = sk::reduce(SKELRT_FN((int a, int b) { return a + b; }), 0);
    const int total = sum(twice(cross(m)));
    int wanted = 0;
    for (std::size_t i = 0; i < a.size(); ++i) wanted += 2 * once[i];
    REQUIRE(total == wanted);
}

TEST_CASE("parts of containers as grids and as destinations", "[stencil][view]")
{
    const std::size_t rows = 60, cols = 50;
    const auto a = numbers<int>(rows * cols);
    auto m = matrix_of(rows, cols, a);
    std::vector<int> part;
    for (std::size_t r = 0; r < 20; ++r)
        for (std::size_t c = 0; c < 30; ++c) part.push_back(a[(r + 7) * cols + c + 11]);
    const grid g{part, 20, 30};
    const sk::matrix<int> y = cross(m.sub(7, 11, 20, 30));
    check_equal(y, expected(part.size(), [&](std::size_t i) { return crossed(g, i); }));
    m.sub(30, 5, 20, 30) = cross(y);
    const auto once = expected(part.size(), [&](std::size_t i) { return crossed(g, i); });
    check_equal(m, expected(a.size(), [&](std::size_t i) {
                    const std::size_t r = i / cols, c = i % cols;
                    const bool in = r >= 30 && r < 50 && c >= 5 && c < 35;
                    return in ? crossed({once, 20, 30}, (r - 30) * 30 + c - 5) : a[i];
                }));
    const auto left = sk::stencil(SKELRT_FN((sk::hood1<int> u) { return u(-1) - u(1); }), sk::border::nearest());
    auto x = vector_of(a);
    m.column(3) = left(x.range(100, rows));
    const auto column = values(m);
    for (std::size_t r = 0; r < rows; ++r)
        REQUIRE(column[r * cols + 3] == a[100 + r - (r > 0 ? 1 : 0)] - a[100 + r + (r + 1 < rows ? 1 : 0)]);
    const sk::vector<int> z = left(matrix_of(rows, cols, a).column(4));
    check_equal(z, expected(rows, [&](std::size_t r) {
                    return a[(r > 0 ? r - 1 : 0) * cols + 4] - a[(r + 1 < rows ? r + 1 : r) * cols + 4];
                }));
}

TEST_CASE("a hood that reaches nowhere is a map", "[stencil]")
{
    const std::size_t n = 3000;
    const auto a = numbers<int>(n);
    auto x = vector_of(a);
    const auto f = sk::stencil(SKELRT_FN((sk::hood1<int> u, int b) { return 3 * u(0) + b; }), sk::border::none());
    x = f(x, x);
    check_equal(x, expected(n, [&](std::size_t i) { return 4 * a[i]; }));
}

TEST_CASE("stencils of random shapes", "[stencil][random]")
{
    std::mt19937 random(12345);
    const auto pick = [&](std::size_t low, std::size_t high) {
        return std::uniform_int_distribution<std::size_t>(low, high)(random);
    };
    const auto f = [](const auto& border, std::size_t up, std::size_t down, std::size_t left, std::size_t right) {
        return sk::stencil(SKELRT_FN((sk::hood2<int> u, int up, int down, int left, int right) {
                               return u(-up, left) + 3 * u(down, -right) - 5 * u(0, 0) + 7 * u(-up, -right) +
                                      u(down, left);
                           }),
                           border, sk::reach(sk::sides(up, down), sk::sides(right, left)));
    };
    // Kernels are made for a reach and a border: few of these, many shapes.
    constexpr std::size_t reaches[][4] = {{0, 1, 2, 0}, {5, 0, 0, 4}, {1, 3, 4, 1}, {2, 2, 5, 3}, {0, 0, 0, 3}};
    for (int round = 0; round < 60; ++round) {
        const std::size_t rows = pick(1, 90), cols = pick(1, 90);
        const auto& far = reaches[static_cast<std::size_t>(round) / 4 % std::size(reaches)];
        const std::size_t up = far[0], down = far[1], left = far[2], right = far[3];
        const auto a = numbers<int>(rows * cols, static_cast<unsigned>(round));
        auto m = matrix_of(rows, cols, a);
        m.set_tiles(pick(1, 9));
        const int iu = static_cast<int>(up), id = static_cast<int>(down), il = static_cast<int>(left),
                  ir = static_cast<int>(right);
        const auto reference = [&](auto u) {
            return u(-iu, il) + 3 * u(id, -ir) - 5 * u(0, 0) + 7 * u(-iu, -ir) + u(id, il);
        };
        const auto check = [&](const auto& border) {
            const sk::matrix<int> y = f(border, up, down, left, right)(m, iu, id, il, ir);
            check_equal(y, applied(grid{a, rows, cols}, border, reference,
                                   {static_cast<std::ptrdiff_t>(up), static_cast<std::ptrdiff_t>(down),
                                    static_cast<std::ptrdiff_t>(right), static_cast<std::ptrdiff_t>(left)}));
        };
        switch (round % 4) {
        case 0:
            check(sk::border::constant(7));
            break;
        case 1:
            check(sk::border::cyclic());
            break;
        case 2:
            check(sk::border::nearest());
            break;
        default:
            check(sk::border::none());
        }
    }
}
