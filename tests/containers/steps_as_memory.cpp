// SPDX-License-Identifier: BSD-3-Clause
/// Views with steps where neighbours, memory or the host see them.
#include "parts_with_steps.hpp"

#include "../message_of.hpp"

#include <algorithm>
#include <sstream>

using namespace test;

namespace
{

const auto twice = sk::map(SKELRT_FN((int a) { return 2 * a; }));
#define STEPS_CROSS SKELRT_FN((sk::hood2<int> u) { return 3 * u(0, 0) + u(-2, 0) - 4 * u(1, 0) + 5 * u(0, -1); })

/// The cross in a grid of so many rows and columns, whose elements are at(row, col), at (i, j).
template <class At>
int cross(std::size_t rows, std::size_t cols, const At& at, std::size_t i, std::size_t j)
{
    const auto u = [&](std::ptrdiff_t down, std::ptrdiff_t along) {
        const auto r = static_cast<std::ptrdiff_t>(i) + down, c = static_cast<std::ptrdiff_t>(j) + along;
        return at(static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(r, 0, static_cast<std::ptrdiff_t>(rows) - 1)),
                  static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(c, 0, static_cast<std::ptrdiff_t>(cols) - 1)));
    };
    return 3 * u(0, 0) + u(-2, 0) - 4 * u(1, 0) + 5 * u(0, -1);
}

} // namespace

TEST_CASE("hoods see elements that are as far apart", "[view][steps]")
{
    const stepped p = parts_with_steps();
    const auto a = numbers<int>(p.rows * p.cols);
    const auto m = matrix_of(p.rows, p.cols, a);
    const auto star = sk::stencil(STEPS_CROSS, sk::border::nearest());
    const auto alone = p.each([&](std::size_t, std::size_t i, std::size_t j) {
        return cross(
            p.n, p.m, [&](std::size_t r, std::size_t c) { return a[p.at(r, c)]; }, i, j);
    });
    auto z = matrix_of(p.rows, p.cols, a);
    p.of(z) = star(p.of(m));
    check_equal(z, p.put_each(a, alone));
    // What the matrix has of these rows and columns before the part, in it, and behind it.
    const std::size_t top = p.row % p.down, left = p.col % p.along;
    const std::size_t rows = (p.rows - top + p.down - 1) / p.down, cols = (p.cols - left + p.along - 1) / p.along;
    const auto seen = [&](std::size_t r, std::size_t c) { return a[(top + r * p.down) * p.cols + left + c * p.along]; };
    const auto around = p.each([&](std::size_t, std::size_t i, std::size_t j) {
        return cross(rows, cols, seen, p.row / p.down + i, p.col / p.along + j);
    });
    check_equal(sk::matrix<int>(star(sk::with_neighbours(p.of(m)))), around);
    p.of(z) = star(sk::with_neighbours(p.of(m)));
    check_equal(z, p.put_each(a, around));
    if (p.n == 0) return;
    const auto sides = sk::stencil(SKELRT_FN((sk::hood1<int> u) { return u(1) - 2 * u(-1); }), sk::border::constant(9));
    const auto line = [&](std::size_t n, std::size_t k, const auto& at) {
        return (k + 1 < n ? at(k + 1) : 9) - 2 * (k > 0 ? at(k - 1) : 9);
    };
    check_equal(sk::vector<int>(sides(sk::with_neighbours(p.of(m).row(0)))), expected(p.m, [&](std::size_t j) {
                    return line(cols, p.col / p.along + j, [&](std::size_t c) { return seen(p.row / p.down, c); });
                }));
    check_equal(sk::vector<int>(sides(sk::with_neighbours(p.of(m).column(0)))), expected(p.n, [&](std::size_t i) {
                    return line(rows, p.row / p.down + i, [&](std::size_t r) { return seen(r, p.col / p.along); });
                }));
}

TEST_CASE("functions see what has steps as memory: a copy without gaps", "[view][steps]")
{
    const stepped p = parts_with_steps();
    const auto a = numbers<int>(p.rows * p.cols);
    const auto m = matrix_of(p.rows, p.cols, a);
    const auto part = p.each([&](std::size_t k) { return a[k]; });
    const auto of_all = sk::map(
        SKELRT_FN((sk::index2 i, sk::mat<int> x) { return x(x.rows() - 1 - i.row, i.col) + 1000 * (int)x.cols(); }));
    check_equal(sk::matrix<int>(of_all(sk::shape(p.n, p.m), p.of(m))), expected(part.size(), [&](std::size_t k) {
                    return part[(p.n - 1 - k / p.m) * p.m + k % p.m] + 1000 * static_cast<int>(p.m);
                }));
    const auto dot = sk::all_pairs(SKELRT_FN((sk::vec<int> x, sk::vec<int> y) {
        int s = 0;
        for (unsigned long k = 0; k < x.size(); ++k) s += x[k] * y[k];
        return s;
    }));
    check_equal(sk::matrix<int>(dot(p.of(m), p.of(m))), expected(p.n * p.n, [&](std::size_t k) {
                    const auto row = [&](std::size_t i) { return part.begin() + static_cast<std::ptrdiff_t>(i * p.m); };
                    return std::inner_product(row(k / p.n), row(k / p.n + 1), row(k % p.n), 0);
                }));
    if (p.n == 0) return;
    const sk::vector<int> turned = sk::gather(p.of(m).column(0), sk::map(SKELRT_FN((sk::index1 i, int n) {
                                                  return n - 1 - (int)i.i;
                                              }))(sk::shape(p.n), static_cast<int>(p.n)));
    check_equal(turned, expected(p.n, [&](std::size_t i) { return part[(p.n - 1 - i) * p.m]; }));
    const auto weighted = sk::map(SKELRT_FN((int x, sk::vec<int> w) { return x * (int)w.size() + w[w.size() - 1]; }));
    check_equal(sk::vector<int>(weighted(p.of(m).column(0), p.of(m).row(p.n - 1))),
                expected(p.n, [&](std::size_t i) { return part[i * p.m] * static_cast<int>(p.m) + part.back(); }));
}

TEST_CASE("elements with steps on the host", "[view][steps]")
{
    const stepped p = parts_with_steps();
    const auto a = numbers<int>(p.rows * p.cols);
    auto m = matrix_of(p.rows, p.cols, a);
    m = twice(m); // where the run computes
    {
        const auto h = sk::host_read(p.of(m));
        REQUIRE(h.rows() == p.n);
        REQUIRE(h.cols() == p.m);
        for (std::size_t i = 0; i < p.n; ++i)
            for (std::size_t j = 0; j < p.m; ++j) REQUIRE(h(i, j) == 2 * a[p.at(i, j)]);
        if (p.along == 1 && p.n > 0) CHECK(h[0].size() == p.m);
        else if (p.along > 1) CHECK_THROWS_AS(static_cast<void>(h[0]), sk::error);
    }
    {
        const auto h = sk::host_write(p.of(m)); // others between them stay
        for (std::size_t i = 0; i < p.n; ++i)
            for (std::size_t j = 0; j < p.m; ++j) h(i, j) = -1;
    }
    std::vector<int> doubled = a;
    for (int& v : doubled) v *= 2;
    check_equal(m, p.put(doubled, [](std::size_t) { return -1; }));
    m = twice(m);
    {
        const auto h = sk::host(p.of(m));
        for (std::size_t i = 0; i < p.n; ++i)
            for (std::size_t j = 0; j < p.m; ++j) ++h(i, j);
    }
    for (int& v : doubled) v *= 2;
    check_equal(m, p.put(doubled, [](std::size_t) { return -1; }));
    sk::wait(p.of(m));
}

TEST_CASE("every second element of a vector on the host: the others stay", "[view][steps]")
{
    const auto n = GENERATE(as<std::size_t>(), 1, 2, 1001);
    const auto a = numbers<int>(n);
    auto x = vector_of(a);
    x = twice(x);
    {
        const auto h = sk::host_write(x.range(0, (n + 1) / 2, 2));
        std::fill(h.begin(), h.end(), -1);
    }
    check_equal(x, expected(n, [&](std::size_t i) { return i % 2 == 0 ? -1 : 2 * a[i]; }));
    sk::matrix<int> m(3, n, 4);
    m = twice(m);
    {
        const auto h = sk::host_write(m.diagonal());
        std::fill(h.begin(), h.end(), -1);
    }
    check_equal(m, expected(3 * n, [&](std::size_t i) { return i / n == i % n ? -1 : 8; }));
}

TEST_CASE("what has steps is printed, and no task's part", "[view][steps]")
{
    const stepped p{4, 5, 1, 0, 2, 3, 2, 2};
    auto m = matrix_of(4, 5, expected(20, [](std::size_t i) { return static_cast<int>(i); }));
    std::ostringstream to;
    to << p.of(m);
    CHECK(to.str() == "matrix<int>(2 x 3)\n[[5, 7, 9],\n [15, 17, 19]]");
    const std::string refused = message_of([&] { sk::task([](sk::block<int>) {}, sk::inout(p.of(m))); });
    CHECK_THAT(refused, Catch::Matchers::Contains("no rectangle of its container"));
    const auto count = sk::for_each(SKELRT_FN((int v, sk::accumulator<int> out) { out.add((size_t)v, 1); }));
    const sk::vector<int> zeros(3, 0);
    CHECK_THAT(message_of([&] { count(zeros, p.of(m)); }), Catch::Matchers::Contains("follow each other"));
}
