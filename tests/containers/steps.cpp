// SPDX-License-Identifier: BSD-3-Clause
/// Views of every so many rows and columns of a matrix, in every skeleton.
#include "parts_with_steps.hpp"

#include <algorithm>

using namespace test;

namespace
{

const auto twice = sk::map(SKELRT_FN((int a) { return 2 * a; }));
const auto same = sk::map(SKELRT_FN((int a) { return a; }));
const auto add = sk::map(SKELRT_FN((int a, int b) { return a + 10 * b; }));
const auto with_place = sk::map(SKELRT_FN((sk::index2 i, int a) { return a + 1000 * (int)i.row + (int)i.col; }));
const auto sum = sk::reduce(sk::plus, 0);
const auto running = sk::scan(sk::plus);

} // namespace

TEST_CASE("rows and columns that are so far apart, as operand and as destination", "[view][steps]")
{
    const stepped p = parts_with_steps();
    const auto a = numbers<int>(p.rows * p.cols);
    auto m = matrix_of(p.rows, p.cols, a);
    const sk::matrix<int> y = twice(p.of(m));
    REQUIRE(y.rows() == p.n);
    REQUIRE(y.cols() == p.m);
    check_equal(y, p.each([&](std::size_t k) { return 2 * a[k]; }));
    check_equal(sk::matrix<int>(with_place(p.of(m))), p.each([&](std::size_t k, std::size_t i, std::size_t j) {
        return a[k] + 1000 * static_cast<int>(i) + static_cast<int>(j);
    }));
    auto z = matrix_of(p.rows, p.cols, a);
    p.of(z) = add(p.of(m), y);
    check_equal(z, p.put(a, [&](std::size_t k) { return 21 * a[k]; }));
    p.of(m) = twice(p.of(m)); // in place
    check_equal(m, p.put(a, [&](std::size_t k) { return 2 * a[k]; }));
    p.of(m) = p.of(z); // elements, as of other views
    check_equal(m, p.put(a, [&](std::size_t k) { return 21 * a[k]; }));
}

TEST_CASE("parts, rows, columns and diagonals of what has steps", "[view][steps]")
{
    const std::size_t rows = 40, cols = 33;
    const auto a = numbers<int>(rows * cols);
    const auto m = matrix_of(rows, cols, a);
    const auto part = m.sub(3, 2, 12, 10, 3, 3);
    const auto at = [&](std::size_t i, std::size_t j) { return a[(3 + 3 * i) * cols + 2 + 3 * j]; };
    check_equal(sk::vector<int>(same(part.row(11))), expected(10, [&](std::size_t j) { return at(11, j); }));
    check_equal(sk::vector<int>(same(part.column(9))), expected(12, [&](std::size_t i) { return at(i, 9); }));
    check_equal(sk::vector<int>(same(part.diagonal(-2))), expected(10, [&](std::size_t i) { return at(i + 2, i); }));
    check_equal(sk::vector<int>(same(part.diagonal(3))), expected(7, [&](std::size_t i) { return at(i, i + 3); }));
    check_equal(sk::vector<int>(same(part.row(1).range(1, 3, 4))),
                expected(3, [&](std::size_t j) { return at(1, 1 + 4 * j); }));
    check_equal(sk::matrix<int>(same(part.sub(2, 3, 5, 6))),
                expected(30, [&](std::size_t k) { return at(2 + k / 6, 3 + k % 6); }));
    check_equal(sk::matrix<int>(same(part.sub(1, 0, 4, 2, 3, 5))),
                expected(8, [&](std::size_t k) { return at(1 + k / 2 * 3, k % 2 * 5); }));
    const sk::tensor<int, 3> t({4, rows, cols}, 7);
    t.plane(2).sub(3, 2, 12, 10, 3, 3) = same(part);
    const auto wanted = [&](std::size_t k) {
        const std::size_t r = k % (rows * cols) / cols, c = k % cols;
        const bool in =
            k / (rows * cols) == 2 && r >= 3 && r % 3 == 0 && r < 39 && c >= 2 && (c - 2) % 3 == 0 && c < 32;
        return in ? a[r * cols + c] : 7;
    };
    check_equal(t, expected(4 * rows * cols, wanted));
}

TEST_CASE("what has steps lies in its matrix", "[view][steps]")
{
    const sk::matrix<int> m(5, 7, 1);
    CHECK(m.sub(4, 6, 1, 1, 9, 9).size() == 1);
    CHECK(m.sub(5, 7, 0, 0, 1, 1).empty());
    CHECK(m.sub(0, 0, 3, 3, 2, 3).size() == 9);
    CHECK_THROWS_AS(static_cast<void>(m.sub(0, 0, 4, 1, 2, 1)), sk::error);
    CHECK_THROWS_AS(static_cast<void>(m.sub(0, 1, 1, 3, 1, 3)), sk::error);
    CHECK_THROWS_AS(static_cast<void>(m.sub(0, 0, 1, 1, 0, 1)), sk::error);
    CHECK_THROWS_AS(static_cast<void>(m.sub(0, 0, 1, 1, 1, 0)), sk::error);
    CHECK_THROWS_AS(static_cast<void>(m.sub(6, 0, 0, 1, 2, 1)), sk::error);
    sk::matrix<int> out(5, 7, 0);
    CHECK_THROWS_AS(out.sub(0, 0, 3, 3, 2, 3) = same(m.sub(0, 0, 3, 4, 2, 2)), sk::error);
}

TEST_CASE("rows and columns of one matrix, into others between them", "[view][steps]")
{
    const std::size_t rows = 30, cols = 27;
    std::vector<int> want = numbers<int>(rows * cols);
    auto m = matrix_of(rows, cols, want);
    const auto at = [&](std::size_t i, std::size_t j) -> int& { return want[i * cols + j]; };
    m.sub(0, 0, 15, cols, 2, 1) = add(m.sub(1, 0, 15, cols, 2, 1), m.sub(0, 0, 15, cols, 2, 1));
    for (std::size_t i = 0; i < rows; i += 2)
        for (std::size_t j = 0; j < cols; ++j) at(i, j) = at(i + 1, j) + 10 * at(i, j);
    m.sub(0, 1, rows, 13, 1, 2) = twice(m.sub(0, 0, rows, 13, 1, 2));
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 1; j < cols; j += 2) at(i, j) = 2 * at(i, j - 1);
    m.row(3) = twice(m.sub(0, 0, 15, cols, 2, 1).row(6)); // row 12
    for (std::size_t j = 0; j < cols; ++j) at(3, j) = 2 * at(12, j);
    const std::vector<int> before = want;
    m.sub(0, 0, 15, 13, 1, 1) = twice(m.sub(0, 0, 15, 13, 2, 2)); // reads what it writes
    for (std::size_t i = 0; i < 15; ++i)
        for (std::size_t j = 0; j < 13; ++j) at(i, j) = 2 * before[2 * i * cols + 2 * j];
    check_equal(m, want);
}

TEST_CASE("reductions of rows and columns that are so far apart", "[view][steps]")
{
    const stepped p = parts_with_steps();
    const auto a = numbers<int>(p.rows * p.cols);
    const auto m = matrix_of(p.rows, p.cols, a);
    const auto part = p.each([&](std::size_t k) { return a[k]; });
    const int all = sum(p.of(m));
    CHECK(all == std::accumulate(part.begin(), part.end(), 0));
    CHECK(sum(twice(p.of(m))) == 2 * all);
    check_equal(sk::vector<int>(sum.by_row(p.of(m))), expected(p.n, [&](std::size_t i) {
                    int s = 0;
                    for (std::size_t j = 0; j < p.m; ++j) s += part[i * p.m + j];
                    return s;
                }));
    check_equal(sk::vector<int>(sum.by_column(p.of(m))), expected(p.m, [&](std::size_t j) {
                    int s = 0;
                    for (std::size_t i = 0; i < p.n; ++i) s += part[i * p.m + j];
                    return s;
                }));
}

TEST_CASE("scans of rows and columns that are so far apart, into such", "[view][steps]")
{
    const stepped p = parts_with_steps();
    const auto a = numbers<int>(p.rows * p.cols);
    const auto m = matrix_of(p.rows, p.cols, a);
    auto rows = p.each([&](std::size_t k) { return a[k]; }), columns = rows, all = rows;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        if (k % std::max<std::size_t>(p.m, 1) > 0) rows[k] += rows[k - 1];
        if (k >= p.m) columns[k] += columns[k - p.m];
        if (k > 0) all[k] += all[k - 1];
    }
    auto z = matrix_of(p.rows, p.cols, a);
    p.of(z) = running(p.of(m));
    check_equal(z, p.put_each(a, all));
    p.of(z) = running.by_row(p.of(m));
    check_equal(z, p.put_each(a, rows));
    p.of(z) = running.by_column(twice(p.of(m)));
    for (int& v : columns) v *= 2;
    check_equal(z, p.put_each(a, columns));
}

TEST_CASE("filters, histograms and sorted rows of what has steps", "[view][steps]")
{
    const stepped p = parts_with_steps();
    const auto a = numbers<int>(p.rows * p.cols);
    auto m = matrix_of(p.rows, p.cols, a);
    auto part = p.each([&](std::size_t k) { return a[k]; });
    std::vector<int> odd, counts(10, 0);
    for (const int v : part) {
        if (v % 2 == 1) odd.push_back(v);
        ++counts[static_cast<std::size_t>(v)];
    }
    check_equal(sk::vector<int>(sk::filter(SKELRT_FN((int v) { return v % 2 == 1; }))(p.of(m))), odd);
    sk::vector<int> bins(10, 0);
    sk::for_each(SKELRT_FN((int v, sk::accumulator<int> out) { out.add((size_t)v, 1); }))(p.of(m), bins);
    check_equal(bins, counts);
    if (p.n == 0) return;
    const auto first = part.begin(), behind = first + static_cast<std::ptrdiff_t>(p.m);
    std::sort(first, behind);
    check_equal(sk::vector<int>(sk::sort(p.of(m).row(0))), std::vector<int>(first, behind));
    p.of(m).row(0) = sk::sort(p.of(m).row(0));
    check_equal(m, p.put_each(a, part));
}

TEST_CASE("products of what has steps, into such", "[view][steps]")
{
    const auto [n, m, depth] = GENERATE(
        table<std::size_t, std::size_t, std::size_t>({{1, 1, 1}, {3, 0, 4}, {3, 4, 0}, {17, 30, 9}, {65, 33, 70}}));
    const auto a = numbers<float>((2 * n + 1) * (3 * depth + 2)), b = numbers<float>((3 * depth + 1) * (2 * m + 3), 2);
    const sk::matrix<float> x(2 * n + 1, 3 * depth + 2, a.begin()), y(3 * depth + 1, 2 * m + 3, b.begin());
    const auto left = x.sub(1, 2, n, depth, 2, 3);
    const auto right = y.sub(0, 1, depth, m, 3, 2);
    const auto product = expected(n * m, [&, m = m, depth = depth](std::size_t i) {
        float s = 0;
        for (std::size_t k = 0; k < depth; ++k)
            s += a[(1 + 2 * (i / m)) * (3 * depth + 2) + 2 + 3 * k] * b[3 * k * (2 * m + 3) + 1 + 2 * (i % m)];
        return s;
    });
    const auto matmul = sk::all_pairs(sk::multiplies, sk::plus, 0.0f);
    check_equal(sk::matrix<float>(matmul(left, sk::transpose(right))), product);
    const sk::matrix<float> turned = sk::transpose(right);
    check_equal(sk::matrix<float>(matmul(left, turned)), product);
    check_equal(sk::matrix<float>(matmul(sk::transpose(sk::matrix<float>(sk::transpose(left))), turned)), product);
    const std::vector<float> nines((2 * n + 1) * (3 * m + 1), 9);
    sk::matrix<float> to(2 * n + 1, 3 * m + 1, nines.begin());
    const stepped where{2 * n + 1, 3 * m + 1, 1, 0, n, m, 2, 3};
    where.of(to) = matmul(left, turned);
    check_equal(to, where.put_each(nines, product));
}

TEST_CASE("transposes of what has steps", "[view][steps]")
{
    const stepped p = parts_with_steps();
    const auto a = numbers<int>(p.rows * p.cols);
    const auto m = matrix_of(p.rows, p.cols, a);
    const auto part = p.each([&](std::size_t k) { return a[k]; });
    const auto turned = expected(p.n * p.m, [&](std::size_t k) { return part[k % p.n * p.m + k / p.n]; });
    check_equal(sk::matrix<int>(sk::transpose(p.of(m))), turned);
    sk::matrix<int> z(p.m, p.n, 1);
    z = add(sk::transpose(p.of(m)), z);
    check_equal(z, expected(turned.size(), [&](std::size_t k) { return turned[k] + 10; }));
}

TEST_CASE("a wavefront over what has steps, into such", "[view][steps]")
{
    const auto sums = sk::wavefront(
        SKELRT_FN((sk::before2<int> d, int x) { return (d.left() + d.above() + d.diagonal() + x) % 1000; }),
        sk::border::constant(0));
    const stepped p = parts_with_steps();
    const auto a = numbers<int>(p.rows * p.cols);
    const auto m = matrix_of(p.rows, p.cols, a);
    auto want = p.each([&](std::size_t k) { return a[k]; });
    for (std::size_t k = 0; k < want.size(); ++k) {
        const bool has_left = k % p.m > 0, has_above = k >= p.m;
        const int left = has_left ? want[k - 1] : 0, above = has_above ? want[k - p.m] : 0;
        want[k] = (left + above + (has_left && has_above ? want[k - p.m - 1] : 0) + want[k]) % 1000;
    }
    auto z = matrix_of(p.rows, p.cols, a);
    p.of(z) = sums(p.of(m));
    check_equal(z, p.put_each(a, want));
}

TEST_CASE("operands of pairs that have steps", "[view][steps]")
{
    const stepped p{40, 33, 3, 2, 12, 10, 3, 3};
    const auto a = numbers<int>(p.rows * p.cols);
    const auto m = matrix_of(p.rows, p.cols, a);
    const auto part = p.each([&](std::size_t k) { return a[k]; });
    const auto pair = sk::map_pairs(SKELRT_FN((int x, int y) { return x + 100 * y; }));
    check_equal(sk::matrix<int>(pair(p.of(m).column(1), p.of(m).row(2))),
                expected(120, [&](std::size_t k) { return part[k / 10 * 10 + 1] + 100 * part[20 + k % 10]; }));
}
