// SPDX-License-Identifier: BSD-3-Clause
/// Views that go from the last element to the first, and from the last row or column to the first.
#include "parts_with_steps.hpp"

#include "../message_of.hpp"

#include <algorithm>
#include <sstream>
#include <string>

using namespace test;

namespace
{

const auto twice = sk::map(SKELRT_FN((int a) { return 2 * a; }));
const auto same = sk::map(SKELRT_FN((int a) { return a; }));
const auto add = sk::map(SKELRT_FN((int a, int b) { return a + 10 * b; }));
const auto with_place = sk::map(SKELRT_FN((sk::index1 i, int a) { return a + 1000 * (int)i.i; }));
const auto sum = sk::reduce(sk::plus, 0);
const auto running = sk::scan(sk::plus);
/// Not commutative, but associative: of {1, 2, 3} it is 3.
const auto last = sk::reduce(SKELRT_FN((int, int b) { return b; }));

/// Several ranks refuse these views: there is nothing else to see.
bool refused(const sk::vector<int>& x)
{
    if (sk::ranks() == 1) return false;
    const std::string what = message_of([&] { sk::vector<int> y = same(x.reversed()); });
    CHECK_THAT(what, Catch::Matchers::Contains("not yet over several ranks") && Catch::Matchers::Contains("reversed"));
    return true;
}

template <class T>
std::vector<T> turned(std::vector<T> v)
{
    std::reverse(v.begin(), v.end());
    return v;
}

/// Numbers of a matrix's elements with its rows, or each of its rows, from the last to the first.
std::vector<std::size_t> places(std::size_t rows, std::size_t cols, int axis)
{
    return expected(rows * cols, [&](std::size_t k) {
        const std::size_t i = k / cols, j = k % cols;
        return axis == 0 ? (rows - 1 - i) * cols + j : i * cols + cols - 1 - j;
    });
}
template <class T>
std::vector<T> at(const std::vector<T>& v, const std::vector<std::size_t>& places)
{
    return expected(places.size(), [&](std::size_t k) { return v[places[k]]; });
}

} // namespace

TEST_CASE("a vector backwards, as operand and as destination", "[view][reversed]")
{
    const auto n = GENERATE(as<std::size_t>(), 0, 1, 2, 3, 63, 1000, 4099);
    const auto a = numbers<int>(n), b = numbers<int>(n, 3);
    auto x = vector_of(a);
    if (refused(x)) return;
    const auto y = vector_of(b);
    CHECK(x.reversed().size() == n);
    check_equal(sk::vector<int>(twice(x.reversed())), expected(n, [&](std::size_t i) { return 2 * a[n - 1 - i]; }));
    check_equal(sk::vector<int>(with_place(x.reversed())),
                expected(n, [&](std::size_t i) { return a[n - 1 - i] + 1000 * static_cast<int>(i); }));
    check_equal(sk::vector<int>(add(x.reversed(), y)),
                expected(n, [&](std::size_t i) { return a[n - 1 - i] + 10 * b[i]; }));
    check_equal(sk::vector<int>(same(x.reversed().reversed())), a);
    sk::vector<int> z(n, -1);
    z.reversed() = twice(y);
    check_equal(z, expected(n, [&](std::size_t i) { return 2 * b[n - 1 - i]; }));
    z.reversed() = add(x.reversed(), y.reversed()); // all go back
    check_equal(z, expected(n, [&](std::size_t i) { return a[i] + 10 * b[i]; }));
    x = same(x.reversed()); // all is read before it is written
    check_equal(x, turned(a));
    x.reversed() = same(x.reversed()); // in place
    check_equal(x, turned(a));
    x.reversed() = y.range(0, n);
    check_equal(x, turned(b));
}

TEST_CASE("parts of what goes back, and parts that do", "[view][reversed]")
{
    const std::size_t n = 1000;
    const auto a = numbers<int>(n);
    auto x = vector_of(a);
    if (refused(x)) return;
    check_equal(sk::vector<int>(same(x.reversed().range(10, 500))),
                expected(500, [&](std::size_t i) { return a[n - 11 - i]; }));
    check_equal(sk::vector<int>(same(x.reversed().range(10, 300, 3))),
                expected(300, [&](std::size_t i) { return a[n - 11 - 3 * i]; }));
    check_equal(sk::vector<int>(same(x.range(7, 200, 4).reversed())),
                expected(200, [&](std::size_t i) { return a[7 + 4 * (199 - i)]; }));
    x.range(0, 500) = same(x.range(500, 500).reversed()); // they share nothing
    check_equal(x, expected(n, [&](std::size_t i) { return i < 500 ? a[n - 1 - i] : a[i]; }));
    auto y = vector_of(a);
    y.range(0, 600) = same(y.range(400, 600).reversed()); // they do
    check_equal(y, expected(n, [&](std::size_t i) { return i < 600 ? a[n - 1 - i] : a[i]; }));
}

TEST_CASE("skeletons go through a vector backwards", "[view][reversed]")
{
    const auto n = GENERATE(as<std::size_t>(), 1, 2, 100, 4099);
    const auto a = numbers<int>(n);
    const auto x = vector_of(a);
    if (refused(x)) return;
    const auto back = turned(a);
    CHECK(sum(x.reversed()) == std::accumulate(a.begin(), a.end(), 0));
    CHECK(last(x.reversed()) == a[0]);
    auto scanned = back;
    std::partial_sum(back.begin(), back.end(), scanned.begin());
    check_equal(sk::vector<int>(running(x.reversed())), scanned);
    sk::vector<int> z(n, 0);
    z.reversed() = running(x.reversed()); // sums from each element to the last
    check_equal(z, turned(scanned));
    std::vector<int> odd;
    std::copy_if(back.begin(), back.end(), std::back_inserter(odd), [](int v) { return v % 2 == 1; });
    check_equal(sk::vector<int>(sk::filter(SKELRT_FN((int v) { return v % 2 == 1; }))(x.reversed())), odd);
    auto sorted = a;
    std::sort(sorted.begin(), sorted.end());
    z.reversed() = sk::sort(x.reversed()); // the largest first
    check_equal(z, turned(sorted));
    const auto sides = sk::stencil(SKELRT_FN((sk::hood1<int> u) { return u(1) - 2 * u(-1); }), sk::border::constant(9));
    const auto line = [&](std::size_t i) { return (i + 1 < n ? back[i + 1] : 9) - 2 * (i > 0 ? back[i - 1] : 9); };
    check_equal(sk::vector<int>(sides(x.reversed())), expected(n, line));
    const std::size_t part = n / 2;
    check_equal(sk::vector<int>(sides(sk::with_neighbours(x.reversed().range(n - part, part)))),
                expected(part, [&](std::size_t i) { return line(n - part + i); }));
    const auto of_all = sk::map(SKELRT_FN((sk::index1 i, sk::vec<int> v) { return v[i.i] + (int)v.size(); }));
    check_equal(sk::vector<int>(of_all(sk::shape(n), x.reversed())),
                expected(n, [&](std::size_t i) { return back[i] + static_cast<int>(n); }));
    const auto pair = sk::map_pairs(SKELRT_FN((int v, int w) { return v + 100 * w; }));
    const std::size_t few = std::min<std::size_t>(n, 50);
    check_equal(sk::matrix<int>(pair(x.reversed().range(0, few), x.range(0, few).reversed())),
                expected(few * few, [&](std::size_t k) { return back[k / few] + 100 * a[few - 1 - k % few]; }));
    sk::vector<int> keys = vector_of(a), values(n, 0);
    values = sk::map(SKELRT_FN((sk::index1 i, int) { return (int)i.i; }))(values);
    auto up = keys.reversed(), along = values.reversed();
    sk::sort_by_key(up, along);
    check_equal(keys, turned(sorted));
    std::vector<int> order(n);
    std::iota(order.rbegin(), order.rend(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int i, int j) { return a[static_cast<std::size_t>(i)] < a[static_cast<std::size_t>(j)]; });
    check_equal(values, turned(order));
}

TEST_CASE("rows and columns of a matrix backwards", "[view][reversed]")
{
    const auto [rows, cols] =
        GENERATE(table<std::size_t, std::size_t>({{1, 1}, {0, 0}, {2, 7}, {31, 17}, {129, 65}, {300, 3}, {3, 200}}));
    const int axis = GENERATE(0, 1);
    CAPTURE(rows, cols, axis);
    const auto a = numbers<int>(rows * cols);
    auto m = matrix_of(rows, cols, a);
    if (sk::ranks() > 1) return;
    const auto back = at(a, places(rows, cols, axis));
    const auto double_of = [](int v) { return 2 * v; };
    auto doubled = back;
    std::transform(back.begin(), back.end(), doubled.begin(), double_of);
    check_equal(sk::matrix<int>(twice(m.reversed(axis))), doubled);
    check_equal(sk::matrix<int>(same(m.reversed(0).reversed(1))), turned(a));
    auto z = matrix_of(rows, cols, a);
    z.reversed(axis) = twice(m);
    check_equal(z, doubled);
    m = same(m.reversed(axis));
    check_equal(m, back);
    m.reversed(axis) = add(m.reversed(axis), z);
    check_equal(
        m, at(expected(a.size(), [&](std::size_t k) { return a[k] + 10 * doubled[k]; }), places(rows, cols, axis)));
    m = matrix_of(rows, cols, a);
    check_equal(sk::vector<int>(sum.by_row(m.reversed(0))), turned(values(sk::vector<int>(sum.by_row(m)))));
    check_equal(sk::vector<int>(sum.by_column(m.reversed(1))), turned(values(sk::vector<int>(sum.by_column(m)))));
    check_equal(sk::matrix<int>(running(m.reversed(axis))),
                values(sk::matrix<int>(running(matrix_of(rows, cols, back)))));
    check_equal(sk::matrix<int>(running.by_row(m.reversed(axis))),
                values(sk::matrix<int>(running.by_row(matrix_of(rows, cols, back)))));
    check_equal(sk::matrix<int>(running.by_column(m.reversed(axis))),
                values(sk::matrix<int>(running.by_column(matrix_of(rows, cols, back)))));
    check_equal(sk::matrix<int>(sk::transpose(m.reversed(axis))),
                values(sk::matrix<int>(sk::transpose(matrix_of(rows, cols, back)))));
    const auto star =
        sk::stencil(SKELRT_FN((sk::hood2<int> u) { return u(-1, 0) - 3 * u(0, 1); }), sk::border::cyclic());
    check_equal(sk::matrix<int>(star(m.reversed(axis))), values(sk::matrix<int>(star(matrix_of(rows, cols, back)))));
    check_equal(sk::matrix<int>(star(twice(m.reversed(axis)))), // a map under the hoods
                values(sk::matrix<int>(star(twice(matrix_of(rows, cols, back))))));
    const sk::matrix<int> turned_back = matrix_of(rows, cols, back);
    if (rows < 3 || cols < 3) return;
    const auto here = m.reversed(axis).sub(1, 1, rows - 2, cols - 2);
    check_equal(sk::matrix<int>(star(sk::with_neighbours(here))),
                values(sk::matrix<int>(star(sk::with_neighbours(turned_back.sub(1, 1, rows - 2, cols - 2))))));
    check_equal(sk::matrix<int>(same(here.reversed(1 - axis).sub(0, 1, 1, (cols - 2) / 2, 1, 2))),
                values(sk::matrix<int>(same(m.reversed(0).reversed(1).sub(1, 2, 1, (cols - 2) / 2, 1, 2)))));
    check_equal(sk::vector<int>(same(here.row(0))),
                values(sk::vector<int>(same(turned_back.row(1).range(1, cols - 2)))));
    check_equal(sk::vector<int>(same(here.column(0))),
                values(sk::vector<int>(same(turned_back.column(1).range(1, rows - 2)))));
    check_equal(sk::vector<int>(same(m.reversed(axis).diagonal(1))),
                values(sk::vector<int>(same(turned_back.diagonal(1)))));
}

TEST_CASE("products and pairs of rows of matrices backwards", "[view][reversed]")
{
    const auto [n, m, depth] =
        GENERATE(table<std::size_t, std::size_t, std::size_t>({{1, 1, 1}, {17, 30, 9}, {65, 33, 70}}));
    const int axis = GENERATE(0, 1);
    if (sk::ranks() > 1) return;
    const auto a = numbers<float>(n * depth), b = numbers<float>(m * depth, 2);
    const auto x = matrix_of(n, depth, a), y = matrix_of(m, depth, b);
    const auto left = matrix_of(n, depth, at(a, places(n, depth, axis)));
    const auto right = matrix_of(m, depth, at(b, places(m, depth, axis)));
    const auto matmul = sk::all_pairs(sk::multiplies, sk::plus, 0.0f);
    check_equal(sk::matrix<float>(matmul(x.reversed(axis), y)), values(sk::matrix<float>(matmul(left, y))));
    check_equal(sk::matrix<float>(matmul(x, y.reversed(axis))), values(sk::matrix<float>(matmul(x, right))));
    const sk::matrix<float> across = sk::transpose(right);
    check_equal(
        sk::matrix<float>(matmul(x, sk::transpose(across.reversed(axis)))),
        values(sk::matrix<float>(matmul(x, sk::transpose(sk::matrix<float>(sk::eval(across.reversed(axis) * 1.0f)))))));
    sk::matrix<float> to(n, m, 0.0f);
    to.reversed(axis) = matmul(left, right);
    check_equal(to, at(values(sk::matrix<float>(matmul(left, right))), places(n, m, axis)));
    const auto dot =
        sk::all_pairs(SKELRT_FN((sk::vec<float> u, sk::vec<float> v) { return u[0] + 100 * v[v.size() - 1]; }));
    check_equal(sk::matrix<float>(dot(x.reversed(axis), y.reversed(axis))),
                values(sk::matrix<float>(dot(left, right))));
}

TEST_CASE("what goes back on the host, and in print", "[view][reversed]")
{
    const std::size_t rows = 9, cols = 5;
    const int axis = GENERATE(0, 1);
    const auto a = numbers<int>(rows * cols);
    auto m = matrix_of(rows, cols, a);
    m.set_tiles(2);
    const auto part = m.sub(1, 1, 4, 2, 2, 2).reversed(axis);
    const auto number = [&](std::size_t i, std::size_t j) {
        return axis == 0 ? (1 + 2 * (3 - i)) * cols + 1 + 2 * j : (1 + 2 * i) * cols + 1 + 2 * (1 - j);
    };
    {
        const auto h = sk::host_read(part);
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t j = 0; j < 2; ++j) CHECK(h(i, j) == a[number(i, j)]);
    }
    auto want = a;
    {
        const auto h = sk::host_write(part);
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t j = 0; j < 2; ++j) want[number(i, j)] = h(i, j) = static_cast<int>(10 * i + j);
    }
    check_equal(m, want);
    const auto x = vector_of(std::vector<int>{1, 2, 3, 4});
    {
        const auto h = sk::host_read(x.reversed());
        CHECK(std::vector<int>(h.begin(), h.end()) == std::vector<int>{4, 3, 2, 1});
        CHECK(h[3] == 1);
    }
    if (sk::ranks() > 1) return;
    std::ostringstream to;
    to << x.reversed();
    CHECK(to.str() == "vector<int>(4) [4, 3, 2, 1]");
    CHECK_THROWS_AS(static_cast<void>(m.reversed(2)), sk::error);
    const std::string task = message_of([&] { sk::task([](sk::block<int>) {}, sk::inout(m.reversed(axis))); });
    CHECK_THAT(task, Catch::Matchers::Contains("no rectangle of its container"));
}
