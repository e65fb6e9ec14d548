// SPDX-License-Identifier: BSD-3-Clause
#include "stencil_support.hpp"
#include "task_count.hpp"

#include <starpu.h>

#include <cstdlib>
#include <stdexcept>
#include <string_view>

using namespace test;

/// Maps under the hoods of stencils: part of their kernel, and the same results as if they came first.

SKELRT_SHARED(struct fused_cell {
    float r, g;
    int n;
};)

namespace
{

const auto scale = sk::map(SKELRT_FN((int by, int a) { return by * a + 1; }));
const auto square = sk::map(SKELRT_FN((int a) { return a * a - 3; }));
const auto blend = sk::map(SKELRT_FN((float a, double b, int w) { return a + w * b; }));
const auto to_double = sk::map(SKELRT_FN((float a) { return (double)a; }));
const auto halve = sk::map(SKELRT_FN((double a) { return 0.5 * a; }));

/// Reaches differently to each side.
#define LOPSIDED(type)                                                                                                 \
    SKELRT_FN((sk::hood2<type> u) {                                                                                    \
        return u(-2, 0) + 2 * u(1, 0) + 3 * u(0, -1) + 5 * u(0, 3) + 7 * u(0, 0) + 11 * u(-1, 2);                      \
    })
template <class At>
auto lopsided(At u)
{
    return u(-2, 0) + 2 * u(1, 0) + 3 * u(0, -1) + 5 * u(0, 3) + 7 * u(0, 0) + 11 * u(-1, 2);
}
constexpr reaches lopsided_reach{2, 1, 1, 3};

struct shape_of {
    std::size_t rows, cols;
};
shape_of shapes()
{
    return GENERATE(shape_of{0, 0}, shape_of{1, 1}, shape_of{1, 9}, shape_of{6, 1}, shape_of{3, 4}, shape_of{37, 53},
                    shape_of{70, 128}, shape_of{203, 331});
}

/// The values of a stencil of a map, without the first, and with the switch off.
template <class Container, class Call>
void check_call(const Call& call, const auto& want)
{
    check_equal(Container(call), want);
    const sk::fusion off(false);
    check_equal(Container(call), want);
}

template <class Call>
bool fuses(const Call& call)
{
    return sk::detail::maps_stay(call, sk::detail::map_site(call).what);
}

template <class Border>
void check_one_operand(const Border& border)
{
    const auto [rows, cols] = shapes();
    const auto a = numbers<int>(rows * cols);
    const auto b = expected(a.size(), [&](std::size_t i) { return 3 * a[i] + 1; });
    const auto want = applied(
        grid{b, rows, cols}, border, [](auto u) { return lopsided(u); }, lopsided_reach);
    const auto f = sk::stencil(LOPSIDED(int), border);
    auto m = matrix_of(rows, cols, a);
    check_call<sk::matrix<int>>(f(scale(3, m)), want);
    m = f(scale(3, m)); // in place
    check_equal(m, want);
}

template <class Border>
void check_two_operands(const Border& border)
{
    const auto [rows, cols] = shapes();
    const auto a = numbers<float>(rows * cols, 1);
    const auto b = numbers<double>(rows * cols, 2);
    const auto c = expected(a.size(), [&](std::size_t i) { return a[i] + 2 * b[i]; });
    check_call<sk::matrix<double>>(
        sk::stencil(LOPSIDED(double), border)(blend(matrix_of(rows, cols, a), matrix_of(rows, cols, b), 2)),
        applied(
            basic_grid{c, rows, cols}, border, [](auto u) { return static_cast<double>(lopsided(u)); },
            lopsided_reach));
}

#define BESIDE SKELRT_FN((sk::hood1<double> u) { return u(-3) - 2 * u(1) + 4 * u[0]; })

template <class At>
double beside(At u)
{
    return u(-3) - 2 * u(1) + 4 * u(0);
}

template <class Border>
void check_lines(const Border& border)
{
    const auto f = sk::stencil(BESIDE, border);
    const auto n = sizes();
    const auto a = numbers<float>(n);
    const auto b = expected(n, [&](std::size_t i) { return 0.5 * a[i]; });
    check_call<sk::vector<double>>(f(halve(to_double(vector_of(a)))),
                                   applied(basic_grid{b, 1, n}, border,
                                           [](auto u) { return beside([&](int d) { return u(0, d); }); },
                                           {0, 0, 3, 1}));
    const auto [rows, cols] = shapes();
    const auto c = numbers<float>(rows * cols, 2);
    const auto d = expected(c.size(), [&](std::size_t i) { return 0.5 * c[i]; });
    const auto m = matrix_of(rows, cols, c);
    check_call<sk::matrix<double>>(f.by_row(halve(to_double(m))),
                                   applied(basic_grid{d, rows, cols}, border,
                                           [](auto u) { return beside([&](int i) { return u(0, i); }); },
                                           {0, 0, 3, 1}));
    check_call<sk::matrix<double>>(f.by_column(halve(to_double(m))),
                                   applied(basic_grid{d, rows, cols}, border,
                                           [](auto u) { return beside([&](int i) { return u(i, 0); }); },
                                           {3, 1, 0, 0}));
}

} // namespace

TEST_CASE("a map under a hood: constant border", "[stencil][fused_hoods]")
{
    check_one_operand(sk::border::constant(100));
}
TEST_CASE("a map under a hood: cyclic border", "[stencil][fused_hoods]") { check_one_operand(sk::border::cyclic()); }
TEST_CASE("a map under a hood: nearest border", "[stencil][fused_hoods]") { check_one_operand(sk::border::nearest()); }
TEST_CASE("a map under a hood: no border", "[stencil][fused_hoods]") { check_one_operand(sk::border::none()); }

TEST_CASE("a map of two under a hood: constant border", "[stencil][fused_hoods]")
{
    check_two_operands(sk::border::constant(100));
}
TEST_CASE("a map of two under a hood: cyclic border", "[stencil][fused_hoods]")
{
    check_two_operands(sk::border::cyclic());
}
TEST_CASE("a map of two under a hood: nearest border", "[stencil][fused_hoods]")
{
    check_two_operands(sk::border::nearest());
}
TEST_CASE("a map of two under a hood: no border", "[stencil][fused_hoods]") { check_two_operands(sk::border::none()); }

TEST_CASE("chains of maps under hoods along lines: constant border", "[stencil][fused_hoods]")
{
    check_lines(sk::border::constant(100));
}
TEST_CASE("chains of maps under hoods along lines: cyclic border", "[stencil][fused_hoods]")
{
    check_lines(sk::border::cyclic());
}
TEST_CASE("chains of maps under hoods along lines: nearest border", "[stencil][fused_hoods]")
{
    check_lines(sk::border::nearest());
}
TEST_CASE("chains of maps under hoods along lines: no border", "[stencil][fused_hoods]")
{
    check_lines(sk::border::none());
}

TEST_CASE("maps under the hoods of tensors", "[stencil][fused_hoods][tensor]")
{
    using volume = std::array<std::size_t, 3>;
    const volume n = GENERATE(volume{0, 3, 3}, volume{1, 1, 1}, volume{2, 3, 4}, volume{1, 20, 30}, volume{9, 11, 70},
                              volume{31, 17, 23});
    const auto a = numbers<float>(n[0] * n[1] * n[2]);
    const sk::tensor<float, 3> t(n, a.begin());
    const auto seven = SKELRT_FN((sk::hood3<int> u) {
        return u(0, 0, 0) + 2 * u(-1, 0, 0) + 3 * u(1, 0, 0) + 5 * u(0, -2, 0) + 7 * u(0, 1, 0) + 11 * u(1, 0, -1);
    });
    const auto rounded = sk::map(SKELRT_FN((float a) { return (int)a * 2 - 5; }));
    const auto want = [&](auto at) { // at(x, n): a position in the grid, or -1 for the constant
        std::vector<int> result;
        const auto extent = [&](int k) { return static_cast<std::ptrdiff_t>(n[static_cast<std::size_t>(k)]); };
        for (std::ptrdiff_t p = 0; p < extent(0); ++p)
            for (std::ptrdiff_t r = 0; r < extent(1); ++r)
                for (std::ptrdiff_t c = 0; c < extent(2); ++c) {
                    const auto u = [&](std::ptrdiff_t dp, std::ptrdiff_t dr, std::ptrdiff_t dc) {
                        const std::ptrdiff_t x = at(p + dp, extent(0)), y = at(r + dr, extent(1)),
                                             z = at(c + dc, extent(2));
                        if (x < 0 || y < 0 || z < 0) return 1000;
                        return static_cast<int>(a[static_cast<std::size_t>((x * extent(1) + y) * extent(2) + z)]) * 2 -
                               5;
                    };
                    result.push_back(u(0, 0, 0) + 2 * u(-1, 0, 0) + 3 * u(1, 0, 0) + 5 * u(0, -2, 0) + 7 * u(0, 1, 0) +
                                     11 * u(1, 0, -1));
                }
        return result;
    };
    check_call<sk::tensor<int, 3>>(sk::stencil(seven, sk::border::constant(1000))(rounded(t)),
                                   want([](std::ptrdiff_t x, std::ptrdiff_t n) { return x < 0 || x >= n ? -1 : x; }));
    check_call<sk::tensor<int, 3>>(sk::stencil(seven, sk::border::cyclic())(rounded(t)),
                                   want([](std::ptrdiff_t x, std::ptrdiff_t n) { return (x % n + n) % n; }));
    check_call<sk::tensor<int, 3>>(
        sk::stencil(seven, sk::border::nearest())(rounded(t)),
        want([](std::ptrdiff_t x, std::ptrdiff_t n) { return std::clamp<std::ptrdiff_t>(x, 0, n - 1); }));
    // Where the function asks for its position, too.
    const auto numbered =
        sk::stencil(SKELRT_FN((sk::index3 i, sk::hood3<int> u) {
                        return u(0, 0, 0) + 2 * u(0, -1, 0) + (int)(100 * i.plane + 10 * i.row + i.col);
                    }),
                    sk::border::constant(0));
    const sk::tensor<int, 3> y = numbered(rounded(t));
    check_equal(y, expected(a.size(), [&](std::size_t i) {
                    const std::size_t c = i % n[2], r = i / n[2] % n[1], p = i / n[2] / n[1];
                    const int above = r > 0 ? static_cast<int>(a[i - n[2]]) * 2 - 5 : 0;
                    return static_cast<int>(a[i]) * 2 - 5 + 2 * above + static_cast<int>(100 * p + 10 * r + c);
                }));
}

TEST_CASE("maps from structs and to structs under hoods", "[stencil][fused_hoods]")
{
    const auto [rows, cols] = shapes();
    const auto a = numbers<float>(rows * cols);
    const auto cell_of = sk::map(SKELRT_FN((float a, int b) {
        fused_cell c;
        c.r = a;
        c.g = 2 * a;
        c.n = b;
        return c;
    }));
    const auto grey = sk::map(SKELRT_FN((fused_cell c) { return c.r + c.g + c.n; }));
    const auto m = matrix_of(rows, cols, a);
    const auto to = sk::stencil(SKELRT_FN((sk::hood2<fused_cell> u) { return u(-1, 0).r + u(0, 1).g + u(1, -1).n; }),
                                sk::border::constant(fused_cell{5, 6, 7}));
    const auto cells = expected(a.size(), [&](std::size_t i) { return fused_cell{a[i], 2 * a[i], 4}; });
    check_call<sk::matrix<float>>(
        to(cell_of(m, 4)), applied(basic_grid{cells, rows, cols}, sk::border::constant(fused_cell{5, 6, 7}),
                                   [](auto u) { return u(-1, 0).r + u(0, 1).g + static_cast<float>(u(1, -1).n); }));
    const sk::matrix<fused_cell> s = cell_of(m, 4);
    const auto from =
        sk::stencil(SKELRT_FN((sk::hood2<float> u) { return u(-1, 0) + 3 * u(0, 2); }), sk::border::cyclic());
    const auto greys = expected(a.size(), [&](std::size_t i) { return 3 * a[i] + 4; });
    check_call<sk::matrix<float>>(from(grey(s)), applied(basic_grid{greys, rows, cols}, sk::border::cyclic(),
                                                         [](auto u) { return u(-1, 0) + 3 * u(0, 2); }));
}

TEST_CASE("maps under hoods with weights, at distances that the text does not tell", "[stencil][fused_hoods]")
{
    const auto [rows, cols] = shapes();
    const auto a = numbers<int>(rows * cols), w = numbers<int>(15, 3);
    const auto f = sk::stencil(SKELRT_FN((sk::hood2<int> u, sk::mat<int> w) {
                                   int sum = 0;
                                   for (int r = 0; r < 3; ++r)
                                       for (int c = 0; c < 5; ++c) sum += w(r, c) * u(r - 1, c - 2);
                                   return sum;
                               }),
                               sk::border::constant(-4), sk::reach(1, 2));
    const sk::scalar<int> two = 2;
    const auto b = expected(a.size(), [&](std::size_t i) { return (2 * a[i] + 1) * (2 * a[i] + 1) - 3; });
    const auto call = f(square(scale(two, matrix_of(rows, cols, a))), matrix_of(3, 5, w));
    check_call<sk::matrix<int>>(call, applied(grid{b, rows, cols}, sk::border::constant(-4), [&](auto u) {
                                    int sum = 0;
                                    for (int r = 0; r < 3; ++r)
                                        for (int c = 0; c < 5; ++c)
                                            sum += w[static_cast<std::size_t>(r * 5 + c)] * u(r - 1, c - 2);
                                    return sum;
                                }));
}

namespace
{

template <class Border>
void check_several(const Border& border)
{
    const auto [rows, cols] = shapes();
    const std::size_t n = rows * cols;
    const auto a = numbers<int>(n, 1), b = numbers<int>(n, 2), e = numbers<int>(n, 3);
    const auto x = matrix_of(rows, cols, a), y = matrix_of(rows, cols, b), z = matrix_of(rows, cols, e);
    const auto mapped = expected(n, [&](std::size_t i) { return a[i] * a[i] - 3; });
    const auto both = SKELRT_FN((sk::index2 i, sk::hood2<int> u, int e, sk::hood2<int> v, int w) {
        return u(-1, 0) + 2 * v(0, 2) + 3 * e + w * v(1, 0) + 5 * u(0, 0) + (int)(i.row + 2 * i.col);
    });
    const auto reference = [&](const std::vector<int>& p, const std::vector<int>& q) {
        const grid second{q, rows, cols};
        return applied(grid{p, rows, cols}, border,
                       [&](auto u, std::size_t r, std::size_t c) {
                           const auto v = [&](std::ptrdiff_t dr, std::ptrdiff_t dc) {
                               return seen(second, static_cast<std::ptrdiff_t>(r) + dr,
                                           static_cast<std::ptrdiff_t>(c) + dc, border);
                           };
                           return u(-1, 0) + 2 * v(0, 2) + 3 * e[r * cols + c] + 4 * v(1, 0) + 5 * u(0, 0) +
                                  static_cast<int>(r + 2 * c);
                       },
                       {1, 1, 0, 2});
    };
    const auto f = sk::stencil(both, border);
    check_call<sk::matrix<int>>(f(square(x), z, y, 4), reference(mapped, b));
    check_call<sk::matrix<int>>(f(y, z, square(x), 4), reference(b, mapped));
    check_call<sk::matrix<int>>(f(square(x), z, x, 4), reference(mapped, a));
    check_call<sk::matrix<int>>(f(square(x), square(scale(1, z)), square(x), 4), [&] {
        auto want = reference(mapped, mapped);
        if constexpr (std::is_same_v<Border, sk::border::none>) {
            for (std::size_t i = 0; i < n; ++i) {
                const std::size_t r = i / cols, c = i % cols;
                if (r >= 1 && r + 1 < rows && c + 2 < cols) want[i] += 3 * ((e[i] + 1) * (e[i] + 1) - 3 - e[i]);
            }
        } else {
            for (std::size_t i = 0; i < n; ++i) want[i] += 3 * ((e[i] + 1) * (e[i] + 1) - 3 - e[i]);
        }
        return want;
    }());
}

} // namespace

TEST_CASE("several hoods, some over maps: constant border", "[stencil][fused_hoods]")
{
    check_several(sk::border::constant(9));
}
TEST_CASE("several hoods, some over maps: cyclic border", "[stencil][fused_hoods]")
{
    check_several(sk::border::cyclic());
}
TEST_CASE("several hoods, some over maps: nearest border", "[stencil][fused_hoods]")
{
    check_several(sk::border::nearest());
}
TEST_CASE("several hoods, some over maps: no border", "[stencil][fused_hoods]") { check_several(sk::border::none()); }

TEST_CASE("maps around a stencil of a map, sequences, reductions and iterations", "[stencil][fused_hoods]")
{
    const auto [rows, cols] = shapes();
    const auto a = numbers<int>(rows * cols);
    const auto m = matrix_of(rows, cols, a);
    const auto f =
        sk::stencil(SKELRT_FN((sk::hood2<int> u) { return (u(-1, 0) + 2 * u(0, 1)) % 100; }), sk::border::cyclic());
    const auto one = [&](const std::vector<int>& v) {
        return applied(grid{v, rows, cols}, sk::border::cyclic(),
                       [](auto u) { return (u(-1, 0) + 2 * u(0, 1)) % 100; });
    };
    const auto squared = [](std::vector<int> v) {
        for (int& e : v) e = e * e - 3;
        return v;
    };
    const auto want = squared(one(squared(a)));
    check_call<sk::matrix<int>>(square(f(square(m))), want);
    check_call<sk::matrix<int>>(sk::sequence(square, f, square)(m), want);
    check_call<sk::matrix<int>>(f(square(f(square(m)))), one(want));
    long total = 0;
    for (const int v : want) total += v;
    REQUIRE(sk::reduce(sk::plus, 0)(square(f(square(m)))).get() == total);
    const sk::matrix<int> thrice = f.iterate(3, square(m));
    check_equal(thrice, one(one(one(squared(a)))));
    sk::matrix<int> part(rows + 2, cols + 3, -1);
    part.sub(1, 2, rows, cols) = f(square(m));
    const auto inner = one(squared(a));
    check_equal(part, expected((rows + 2) * (cols + 3), [&](std::size_t i) {
                    const std::size_t r = i / (cols + 3), c = i % (cols + 3);
                    const bool inside = r >= 1 && r <= rows && c >= 2 && c < cols + 2;
                    return inside ? inner[(r - 1) * cols + c - 2] : -1;
                }));
}

TEST_CASE("which maps under hoods become part of the kernel", "[stencil][fused_hoods]")
{
    const std::size_t rows = 20, cols = 30;
    const auto a = numbers<int>(rows * cols);
    const auto m = matrix_of(rows, cols, a);
    const sk::fusion on(true);
    const auto f = sk::stencil(LOPSIDED(int), sk::border::nearest());
    const auto& fused = sk::detail::map_site(f(square(scale(2, m)))).what;
    REQUIRE(fused.hood_maps.size() == 1);
    REQUIRE(fused.calls.size() == 3); // and no operand has their results
    for (const auto& s : fused.slots) REQUIRE(s.kind != sk::detail::slot_kind::hood);
    REQUIRE(fuses(f(square(scale(2, m)))));
    REQUIRE(fuses(square(f(square(m)))));
    const auto g = [&](const std::vector<int>& v) {
        return applied(grid{v, rows, cols}, sk::border::nearest(), [](auto u) { return lopsided(u); });
    };

    { // the switch
        const sk::fusion off(false);
        REQUIRE_FALSE(fuses(f(square(m))));
    }
    // Views are no containers.
    REQUIRE_FALSE(fuses(f(square(m.sub(0, 0, rows, cols - 1)))));
    check_equal(sk::matrix<int>(f(square(m.sub(0, 0, rows, cols)))),
                g(expected(a.size(), [&](std::size_t i) { return a[i] * a[i] - 3; })));
    const sk::matrix<int> cut = f(square(m.sub(1, 2, 10, 20)));
    check_equal(cut, applied(grid{expected(200,
                                           [&](std::size_t i) {
                                               const int v = a[(1 + i / 20) * cols + 2 + i % 20];
                                               return v * v - 3;
                                           }),
                                  10, 20},
                             sk::border::nearest(), [](auto u) { return lopsided(u); }));
    const auto line = sk::stencil(SKELRT_FN((sk::hood1<int> u) { return u(-1) + 2 * u(1); }), sk::border::constant(0));
    REQUIRE_FALSE(fuses(line(square(m.row(0)))));
    check_equal(sk::vector<int>(line(square(m.row(3)))), expected(cols, [&](std::size_t i) {
                    const auto at = [&](std::size_t k) { return a[3 * cols + k] * a[3 * cols + k] - 3; };
                    return (i > 0 ? at(i - 1) : 0) + (i + 1 < cols ? 2 * at(i + 1) : 0);
                }));
    // Maps that ask where they are come first.
    const auto numbered = sk::map(SKELRT_FN((sk::index1 i, int a) { return a + (int)i.i; }));
    check_call<sk::matrix<int>>(f(numbered(square(m))), g(expected(a.size(), [&](std::size_t i) {
                                    return a[i] * a[i] - 3 + static_cast<int>(i);
                                })));
    // So do those under hoods that see too much for a block of threads.
    const auto far = sk::stencil(SKELRT_FN((sk::hood2<int> u, int d) { return u(-d, 0) + 2 * u(0, d); }),
                                 sk::border::nearest(), sk::reach(200));
    REQUIRE_FALSE(fuses(far(square(m), 4)));
    check_equal(sk::matrix<int>(square(far(square(m), 4))), [&] {
        auto v = applied(grid{expected(a.size(), [&](std::size_t i) { return a[i] * a[i] - 3; }), rows, cols},
                         sk::border::nearest(), [](auto u) { return u(-4, 0) + 2 * u(0, 4); });
        for (int& e : v) e = e * e - 3;
        return v;
    }());
}

TEST_CASE("a map under a hood makes no task of its own", "[stencil][fused_hoods]")
{
    const std::size_t rows = 200, cols = 150;
    const auto a = numbers<int>(rows * cols);
    auto m = matrix_of(rows, cols, a);
    m.set_tiles(1);
    const auto f = sk::stencil(LOPSIDED(int), sk::border::nearest());
    const char* const limit = std::getenv("SKELRT_INLINE_US");
    const bool never_inline = limit && std::string_view(limit) == "0";
    for (const bool fused : {false, true}) {
        const sk::fusion switched(fused);
        starpu_task_wait_for_all();
        const unsigned long before = tasks_done();
        const sk::matrix<int> y = f(square(m));
        check_equal(y, applied(grid{expected(a.size(), [&](std::size_t i) { return a[i] * a[i] - 3; }), rows, cols},
                               sk::border::nearest(), [](auto u) { return lopsided(u); }));
        starpu_task_wait_for_all();
        const unsigned long tasks = tasks_done() - before;
        CAPTURE(fused, tasks);
        REQUIRE(tasks <= (fused ? 1 : 2));
        if (never_inline) REQUIRE(tasks == (fused ? 1 : 2));
    }
}

TEST_CASE("an exception in a map under a hood reaches the waiter", "[stencil][fused_hoods][errors]")
{
    if (!test::devices().has(sk::device::cpu)) return; // device code throws nothing
    const sk::only cpu(sk::device::cpu);
    const auto fails = sk::map(sk::function(
        [](int v) {
            if (v == 77) throw std::runtime_error("77");
            return v;
        },
        "(int v) { return v; }", __FILE__, __LINE__));
    const auto f =
        sk::stencil(SKELRT_FN((sk::hood2<int> u) { return u(-1, 0) + u(1, 0) + u(0, 1); }), sk::border::cyclic());
    const std::size_t rows = 120, cols = 90;
    std::vector<int> a(rows * cols, 1);
    const std::size_t where = GENERATE(0, 119 * 90 + 89, 60 * 90 + 33);
    a[where] = 77;
    sk::matrix<int> y;
    REQUIRE_THROWS_WITH(
        [&] {
            y = f(fails(matrix_of(rows, cols, a)));
            sk::wait(y);
        }(),
        "77");
    a[where] = 1;
    y = f(fails(matrix_of(rows, cols, a)));
    check_equal(y, std::vector<int>(rows * cols, 3));
}
