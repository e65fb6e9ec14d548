// SPDX-License-Identifier: BSD-3-Clause
#include "sequential.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>

using namespace test;

/// What wavefronts take and give, whatever they compute.

SKELRT_SHARED(
    struct step {
        int length;
        unsigned char way;
    };
    struct sums {
        double all, rows;
        float last;
        int number;
    };
    struct triple { unsigned char a, b, c; };)

static bool operator==(const step& a, const step& b) { return a.length == b.length && a.way == b.way; }
static bool operator==(const sums& a, const sums& b)
{
    return a.all == b.all && a.rows == b.rows && a.last == b.last && a.number == b.number;
}
static bool operator==(const triple& a, const triple& b) { return a.a == b.a && a.b == b.b && a.c == b.c; }

namespace
{

const auto counted = sk::wavefront(SKELRT_FN((sk::index2 at, sk::before2<long> d) {
                                       return d.left() + 2 * d.above() - d.diagonal() + (long)(3 * at.row + at.col);
                                   }),
                                   sk::border::constant(1));

/// Small enough not to overflow where it counts.
std::vector<long> counts(std::size_t rows, std::size_t cols)
{
    return sequential<long>(
        rows, cols,
        [](std::size_t r, std::size_t c, long left, long above, long diagonal) {
            return left + 2 * above - diagonal + static_cast<long>(3 * r + c);
        },
        [](std::size_t, std::size_t) { return 1L; });
}

const auto summed = sk::wavefront(SKELRT_FN((sk::before2<int> d, int x) { return (d.left() + d.above() + x) % 1000; }),
                                  sk::border::constant(0));

template <class F>
std::vector<int> sums_of(std::size_t rows, std::size_t cols, F value)
{
    return sequential<int>(
        rows, cols,
        [&](std::size_t r, std::size_t c, int left, int above, int) { return (left + above + value(r, c)) % 1000; },
        [](std::size_t, std::size_t) { return 0; });
}

} // namespace

TEST_CASE("a shape in front, a destination's shape, and sk::eval", "[calls]")
{
    sk::matrix<long> m = counted(sk::shape(17, 23));
    check_equal(m, counts(17, 23));
    sk::matrix<long> there(9, 11);
    there = counted();
    check_equal(there, counts(9, 11));
    check_equal(sk::eval(counted(sk::shape(4, 5))), counts(4, 5));
    m = counted(sk::shape(0, 3));
    REQUIRE(m.rows() == 0);
}

TEST_CASE("elements that are structs, of any size", "[calls]")
{
    const auto [rows, cols] = matrices();
    CAPTURE(rows, cols);
    const auto paths = sk::wavefront(SKELRT_FN((sk::before2<step> d, int x) {
                                         step best = d.left();
                                         best.way = 1;
                                         if (d.above().length < best.length) {
                                             best.length = d.above().length;
                                             best.way = 2;
                                         }
                                         best.length += x;
                                         return best;
                                     }),
                                     sk::border::constant(step{5, 0}));
    const auto x = numbers<int>(rows * cols, 4);
    const sk::matrix<step> m = paths(matrix_of(rows, cols, x));
    check_equal(m,
                sequential<step>(
                    rows, cols,
                    [&, n = cols](std::size_t r, std::size_t c, step left, step above, step) {
                        const bool up = above.length < left.length;
                        return step{(up ? above : left).length + x[r * n + c], static_cast<unsigned char>(up ? 2 : 1)};
                    },
                    [](std::size_t, std::size_t) {
                        return step{5, 0};
                    }));

    const auto totals = sk::wavefront(SKELRT_FN((sk::before2<sums> d) {
        sums s = d.left();
        s.all = d.left().all + d.above().all - d.diagonal().all + 1;
        s.rows = d.above().rows + 1;
        s.last = d.diagonal().last + 0.5f;
        s.number = d.left().number + 1;
        return s;
    }));
    const auto outside = [](std::size_t r, std::size_t c) {
        return sums{static_cast<double>(r), static_cast<double>(c), 0.25f, static_cast<int>(r)};
    };
    const sk::matrix<sums> t = totals(edges_of<sums>(rows, cols, outside));
    check_equal(t, sequential<sums>(
                       rows, cols,
                       [](std::size_t, std::size_t, const sums& left, const sums& above, const sums& diagonal) {
                           return sums{left.all + above.all - diagonal.all + 1, above.rows + 1, diagonal.last + 0.5f,
                                       left.number + 1};
                       },
                       outside));

    const auto mixed = sk::wavefront(SKELRT_FN((sk::before2<triple> d) {
                                         triple t;
                                         t.a = (unsigned char)(d.left().a + 1);
                                         t.b = (unsigned char)(d.above().b + d.left().c);
                                         t.c = (unsigned char)(d.diagonal().c + d.above().a);
                                         return t;
                                     }),
                                     sk::border::constant(triple{1, 2, 3}));
    const sk::matrix<triple> u = mixed(sk::shape(rows, cols));
    check_equal(u, sequential<triple>(
                       rows, cols,
                       [](std::size_t, std::size_t, triple left, triple above, triple diagonal) {
                           return triple{static_cast<unsigned char>(left.a + 1),
                                         static_cast<unsigned char>(above.b + left.c),
                                         static_cast<unsigned char>(diagonal.c + above.a)};
                       },
                       [](std::size_t, std::size_t) {
                           return triple{1, 2, 3};
                       }));
}

TEST_CASE("small types", "[calls]")
{
    const auto odd = sk::wavefront(
        SKELRT_FN((sk::index2 at, sk::before2<bool> d) { return d.left() != d.above() || (at.row + at.col) % 7 == 0; }),
        sk::border::constant(false));
    const sk::matrix<bool> m = odd(sk::shape(300, 211));
    const auto want = sequential<char>(
        300, 211,
        [](std::size_t r, std::size_t c, char left, char above, char) {
            return static_cast<char>(left != above || (r + c) % 7 == 0);
        },
        [](std::size_t, std::size_t) { return char{0}; });
    const auto h = sk::host_read(m);
    for (std::size_t i = 0; i < want.size(); ++i) REQUIRE(h(i / 211, i % 211) == (want[i] != 0));
}

TEST_CASE("operands that are maps, scalars, values, and whole matrices", "[calls]")
{
    constexpr std::size_t rows = 210, cols = 170;
    const auto x = numbers<int>(rows * cols, 4);
    const auto m = matrix_of(rows, cols, x);
    sk::matrix<int> r = summed(sk::map(SKELRT_FN((int v) { return 3 * v + 1; }))(m));
    check_equal(r, sums_of(rows, cols, [&](std::size_t i, std::size_t j) { return 3 * x[i * cols + j] + 1; }));

    const sk::scalar<int> total = sk::reduce(sk::plus, 0)(m);
    const int sum = total.get();
    const auto with_all =
        sk::wavefront(SKELRT_FN((sk::index2 at, sk::before2<int> d, int x, int total, int by, sk::mat<int> all) {
                          return (d.left() + d.above() + x + total % 10 + by + all(at.row, 0) + all(0, at.col)) % 1000;
                      }),
                      sk::border::constant(0));
    r = with_all(m, total, 5, m);
    check_equal(r, sums_of(rows, cols, [&](std::size_t i, std::size_t j) {
                    return x[i * cols + j] + sum % 10 + 5 + x[i * cols] + x[j];
                }));

    const auto five =
        sk::stencil(SKELRT_FN((sk::hood2<int> u) { return u(-1, 0) + u(0, 1); }), sk::border::constant(0));
    r = summed(five(m));
    check_equal(r, sums_of(rows, cols, [&](std::size_t i, std::size_t j) {
                    return (i > 0 ? x[(i - 1) * cols + j] : 0) + (j + 1 < cols ? x[i * cols + j + 1] : 0);
                }));
    r = summed(sk::transpose(matrix_of(cols, rows, x)));
    check_equal(r, sums_of(rows, cols, [&](std::size_t i, std::size_t j) { return x[j * rows + i]; }));
}

TEST_CASE("parts of matrices as operands, as edges and as destinations", "[calls]")
{
    constexpr std::size_t rows = 230, cols = 190;
    const auto x = numbers<int>(rows * cols, 7);
    const auto m = matrix_of(rows, cols, x);
    sk::matrix<int> r = summed(m.sub(20, 30, 150, 140));
    const auto part = sums_of(150, 140, [&](std::size_t i, std::size_t j) { return x[(20 + i) * cols + 30 + j]; });
    check_equal(r, part);

    sk::matrix<int> whole(rows, cols, -1);
    whole.sub(20, 30, 150, 140) = summed(m.sub(20, 30, 150, 140));
    const auto h = sk::host_read(whole);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < cols; ++j) {
            const bool inside = i >= 20 && i < 170 && j >= 30 && j < 170;
            REQUIRE(h(i, j) == (inside ? part[(i - 20) * 140 + j - 30] : -1));
        }

    const auto plain = sk::wavefront(SKELRT_FN((sk::before2<int> d) { return (d.left() + d.above()) % 1000; }));
    const sk::vector<int> left = sk::map(SKELRT_FN((int v) { return v; }))(m.column(3));
    const auto want = sequential<int>(
        rows, cols, [](std::size_t, std::size_t, int l, int a, int) { return (l + a) % 1000; },
        [&](std::size_t i, std::size_t j) { return i > 0   ? x[(i - 1) * cols + 3]
                                                   : j > 0 ? x[5 * cols + j - 1]
                                                           : 0; });
    r = plain(sk::edges(m.row(5), left, 0));
    check_equal(r, want);
    r = plain(sk::edges(m.row(5), m.column(3), 0)); // elements with others between them
    check_equal(r, want);
}

TEST_CASE("captured values, and one wavefront after the other", "[calls]")
{
    const int by = 7;
    const auto f = sk::wavefront(
        SKELRT_FN_WITH((by), (sk::before2<int> d, int x) { return (d.left() + d.above() + by * x) % 1000; }),
        sk::border::constant(0));
    constexpr std::size_t rows = 333, cols = 129;
    auto x = numbers<int>(rows * cols, 2);
    sk::matrix<int> m = matrix_of(rows, cols, x);
    for (int k = 0; k < 5; ++k) {
        m = f(m);
        x = sums_of(rows, cols, [&](std::size_t i, std::size_t j) { return by * x[i * cols + j]; });
    }
    check_equal(m, x);
    const auto g = sk::wavefront(SKELRT_FN_WITH((by), (sk::before2<int> d) { return d.left() + d.above() % by; }));
    sk::matrix<int> n = g(sk::edges(sk::vector<int>{1, 2, 3}, sk::vector<int>{4, 5}, 0));
    check_equal(n, std::vector<int>{5, 7, 10, 10, 10, 13});
}

TEST_CASE("random numbers of each position", "[calls]")
{
    const auto noisy = sk::wavefront(
        SKELRT_FN((sk::before2<unsigned> d, sk::random r) { return (d.left() ^ d.above()) + r.bits() % 5; }),
        sk::border::constant(0u));
    const auto drawn = sk::generate(SKELRT_FN((sk::index2, sk::random r) { return r.bits() % 5; }));
    const sk::matrix<unsigned> numbers = drawn(sk::shape(111, 222), sk::random_seed(3)),
                               m = noisy(sk::shape(111, 222), sk::random_seed(3));
    const auto x = values(numbers);
    check_equal(m, sequential<unsigned>(
                       111, 222,
                       [&](std::size_t r, std::size_t c, unsigned left, unsigned above, unsigned) {
                           return (left ^ above) + x[r * 222 + c];
                       },
                       [](std::size_t, std::size_t) { return 0u; }));
}

TEST_CASE("a plan for each device that there is", "[calls]")
{
    auto f = sk::wavefront(SKELRT_FN((sk::before2<int> d, int x) { return (d.left() + d.above() + x) % 1000; }),
                           sk::border::constant(0));
    const auto x = numbers<int>(700 * 300, 4);
    const auto want = sums_of(700, 300, [&](std::size_t r, std::size_t c) { return x[r * 300 + c]; });
    for (const sk::device kind : {sk::device::cpu, sk::device::cuda, sk::device::opencl}) {
        if (!devices().has(kind)) continue;
        const sk::matrix<int> m = f.use(sk::plan({{kind}}))(matrix_of(700, 300, x));
        check_equal(m, want);
    }
}
