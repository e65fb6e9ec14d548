// SPDX-License-Identifier: BSD-3-Clause
#include "stencil_support.hpp"

using namespace test;

/// Stencils as operands of everything that takes a call: part of its kernel, or evaluated first, on every backend
/// alike.

namespace
{

const auto five = sk::stencil(SKELRT_FN((sk::hood2<int> u) { return u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1); }),
                              sk::border::nearest());
const auto beside =
    sk::stencil(SKELRT_FN((sk::hood1<int> u) { return (u(-1) + 2 * u(1)) % 10; }), sk::border::cyclic());
const auto plus_one = sk::map(SKELRT_FN((int a) { return a + 1; }));
const auto product = sk::all_pairs(sk::multiplies, sk::plus, 0);
const auto sum = sk::reduce(sk::plus, 0);

std::vector<int> five_of(const std::vector<int>& a, std::size_t rows, std::size_t cols)
{
    return applied(grid{a, rows, cols}, sk::border::nearest(),
                   [](auto u) { return u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1); });
}

std::vector<int> beside_of(const std::vector<int>& a)
{
    const std::size_t n = a.size();
    return expected(n, [&](std::size_t i) { return (a[(i + n - 1) % n] + 2 * a[(i + 1) % n]) % 10; });
}

int dot_of_rows(const std::vector<int>& a, const std::vector<int>& b, std::size_t i, std::size_t j, std::size_t cols)
{
    int s = 0;
    for (std::size_t k = 0; k < cols; ++k) s += a[i * cols + k] * b[j * cols + k];
    return s;
}

} // namespace

TEST_CASE("stencils as sides of all_pairs", "[stencil][pairs][fusion]")
{
    const std::size_t rows = 43, cols = 31;
    const auto a = numbers<int>(rows * cols, 1), b = numbers<int>(rows * cols, 2);
    const auto m = matrix_of(rows, cols, a), k = matrix_of(rows, cols, b);
    auto p = five_of(a, rows, cols);
    const auto q = five_of(b, rows, cols);
    const sk::matrix<int> left = product(five(m), k);
    check_equal(left,
                expected(rows * rows, [&](std::size_t i) { return dot_of_rows(p, b, i / rows, i % rows, cols); }));
    const sk::matrix<int> both = product(plus_one(five(m)), five(k));
    for (int& v : p) ++v;
    check_equal(both,
                expected(rows * rows, [&](std::size_t i) { return dot_of_rows(p, q, i / rows, i % rows, cols); }));
}

TEST_CASE("sides of all_pairs give the same without fusion", "[pairs][fusion]")
{
    const std::size_t rows = 20, cols = 33;
    const auto a = numbers<int>(rows * cols, 3);
    const auto m = matrix_of(rows, cols, a);
    const sk::matrix<int> fused = product(plus_one(m), plus_one(plus_one(m)));
    const sk::fusion off(false);
    const sk::matrix<int> one_by_one = product(plus_one(m), plus_one(plus_one(m)));
    check_equal(one_by_one, values(fused));
}

TEST_CASE("stencils beside operands per row and column, and transposed ones", "[stencil][pairs][fusion]")
{
    const std::size_t rows = 40, cols = 57;
    const auto a = numbers<int>(rows * cols, 4), w = numbers<int>(rows, 5), v = numbers<int>(cols, 6),
               t = numbers<int>(rows * cols, 7);
    const auto m = matrix_of(rows, cols, a);
    const auto p = five_of(a, rows, cols), q = beside_of(v);
    const auto weigh = sk::map(SKELRT_FN((int w, int p, int v) { return w * p - v; }));
    const sk::matrix<int> weighed = weigh(sk::per_row(vector_of(w)), five(m), sk::per_column(beside(vector_of(v))));
    check_equal(weighed, expected(rows * cols, [&](std::size_t i) { return w[i / cols] * p[i] - q[i % cols]; }));
    const sk::matrix<int> turned = sk::map(sk::minus)(five(m), sk::transpose(matrix_of(cols, rows, t)));
    check_equal(turned, expected(rows * cols, [&](std::size_t i) { return p[i] - t[i % cols * rows + i / cols]; }));
    const sk::matrix<int> paired = sk::map_pairs(sk::minus)(beside(vector_of(v)), plus_one(vector_of(w)));
    check_equal(paired, expected(rows * cols, [&](std::size_t i) { return q[i / rows] - w[i % rows] - 1; }));
}

TEST_CASE("stencils that are added, counted and gathered", "[stencil][accumulate][fusion]")
{
    const std::size_t n = GENERATE(3, 5000);
    const auto a = numbers<int>(n, 8), p = beside_of(a);
    const auto x = vector_of(a);
    std::vector<int> counts(10, 0), sums(10, 0);
    for (std::size_t i = 0; i < n; ++i)
        ++counts[static_cast<std::size_t>(p[i])], sums[static_cast<std::size_t>(p[i])] += p[i];
    sk::vector<int> h(10, 0), s(10, 0);
    sk::for_each(SKELRT_FN((int v, sk::accumulator<int> bins) { bins.add((size_t)v, 1); }))(beside(x), h);
    check_equal(h, counts);
    sk::scatter_add(beside(x), beside(x), s);
    check_equal(s, sums);
    const sk::vector<int> gathered = sk::gather(h, beside(x));
    check_equal(gathered, expected(n, [&](std::size_t i) { return counts[static_cast<std::size_t>(p[i])]; }));
    const sk::vector<unsigned> bins = sk::histogram(beside(x), 10, 0, 10);
    check_equal(bins, expected(10, [&](std::size_t i) { return static_cast<unsigned>(counts[i]); }));
}

TEST_CASE("stencils under reductions and scans", "[stencil][reduce][scan][fusion]")
{
    const std::size_t rows = 37, cols = 29;
    const auto a = numbers<int>(rows * cols, 9);
    const auto m = matrix_of(rows, cols, a);
    const auto p = five_of(a, rows, cols);
    int total = 0;
    for (const int v : p) total += v + 1;
    REQUIRE(sum(plus_one(five(m))).get() == total);
    const sk::vector<int> by_row = sum.by_row(five(m));
    check_equal(by_row, expected(rows, [&](std::size_t r) {
                    int v = 0;
                    for (std::size_t c = 0; c < cols; ++c) v += p[r * cols + c];
                    return v;
                }));
    const sk::matrix<int> down = sk::scan(sk::plus).by_column(five(m));
    auto want = p;
    for (std::size_t i = cols; i < want.size(); ++i) want[i] += want[i - cols];
    check_equal(down, want);
}
