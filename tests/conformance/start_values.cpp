// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <cmath>
#include <numeric>

using namespace test;

namespace
{

const auto sum = sk::reduce(sk::plus, 0.0);
const auto own_plus = SKELRT_FN((auto a, auto b) { return a + b; });

/// Floats whose sum a float does not hold.
std::vector<float> odd_numbers(std::size_t n)
{
    std::vector<float> v(n);
    for (std::size_t i = 0; i < n; ++i)
        v[i] = static_cast<float>(16'777'217u % (i + 3)) + (i == 0 ? 16'777'216.0f : 0.0f);
    return v;
}

double sum_of(const std::vector<float>& v) { return std::accumulate(v.begin(), v.end(), 0.0); }

} // namespace

TEST_CASE("a start value of double makes sums of floats in double", "[start][reduce]")
{
    const std::size_t n = sizes();
    const auto v = odd_numbers(n);
    const sk::vector<float> x = vector_of(v);
    static_assert(std::is_same_v<decltype(sum(x))::value, double>);
    const double got = sum(x), with_start = sk::reduce(sk::plus, 0.25)(x), mine = sk::reduce(own_plus, 0.5)(x);
    CHECK(got == sum_of(v));
    CHECK(with_start == sum_of(v) + 0.25);
    CHECK(mine == sum_of(v) + 0.5);
    const sk::scalar<double> kept = sum(x);
    CHECK(kept.get() == sum_of(v));
    const double fused = sum(sk::map(SKELRT_FN((float a) { return a + 1; }))(x));
    double want = 0;
    for (const float a : v) want += a + 1;
    CHECK(fused == want);
}

TEST_CASE("rows, columns, scans and pairs compute in double as well", "[start][reduce][scan]")
{
    constexpr std::size_t rows = 30, cols = 77;
    const auto v = odd_numbers(rows * cols);
    const sk::matrix<float> m = matrix_of(rows, cols, v);
    const sk::vector<double> by_row = sum.by_row(m), by_column = sum.by_column(m);
    std::vector<double> of_rows(rows), of_columns(cols), running, before;
    double so_far = 0.5;
    for (std::size_t i = 0; i < v.size(); ++i) {
        of_rows[i / cols] += v[i];
        of_columns[i % cols] += v[i];
        before.push_back(so_far);
        running.push_back(so_far += v[i]);
    }
    check_equal(by_row, of_rows);
    check_equal(by_column, of_columns);
    const sk::matrix<double> scanned = sk::scan(sk::plus, 0.5)(m), exclusive = sk::exclusive_scan(sk::plus, 0.5)(m);
    check_equal(scanned, running);
    check_equal(exclusive, before);

    const auto product = sk::all_pairs(sk::multiplies, sk::plus, 0.0);
    const sk::matrix<float> ones(5, cols, 1.0f);
    const sk::matrix<double> c = product(m, ones);
    check_equal(c, expected(rows * 5, [&](std::size_t i) { return of_rows[i / 5]; }));
}

TEST_CASE("start values that the result type holds", "[start][reduce]")
{
    const sk::vector<float> f(100, 1.5f);
    const sk::vector<double> d(100, 1.5);
    const sk::vector<long> l(100, 3L);
    const sk::vector<short> s(100, short{3});
    const sk::vector<unsigned char> u(100, static_cast<unsigned char>(200));
    const auto total = [](const auto& x, auto start) { return sk::reduce(sk::plus, start)(x).get(); };
    CHECK(total(f, 1) == 151.0f);
    CHECK(total(d, 1) == 151.0);
    CHECK(total(d, 1.0f) == 151.0);
    CHECK(total(l, 1) == 301);
    CHECK(total(l, 1u) == 301);
    CHECK(total(s, 1) == 301);
    CHECK(total(u, short{1}) == 20'001); // computed in int, as C++ does
}
