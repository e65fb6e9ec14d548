// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

using namespace test;

namespace
{

const auto add = sk::map(SKELRT_FN((int a, int b) { return a + b; }));
const auto count = sk::for_each(SKELRT_FN((int v, sk::accumulator<int> out) { out.add((size_t)v, 1); }));

} // namespace

TEST_CASE("accumulators: every size and type", "[accumulate]")
{
    const auto n = sizes();
    // The text of a template's function names a type that only the host knows: a function for each.
    const auto a = numbers<int>(n);
    const auto x = vector_of(a);
    const std::size_t bins = 97;
    const auto slot = [&](std::size_t i) { return (static_cast<std::size_t>(a[i]) * 31 + i) % bins; };
    std::vector<long> sums(bins, 3);
    for (std::size_t i = 0; i < n; ++i) sums[slot(i)] += a[i];
    const auto want = [&]<class T>(T) {
        return expected(bins, [&](std::size_t i) { return static_cast<T>(sums[i]); });
    };
    sk::vector<int> hi(bins, 3);
    sk::for_each(SKELRT_FN(
        (sk::index1 i, int v, sk::accumulator<int> out) { out.add(((size_t)v * 31 + i.i) % out.size(), v); }))(x, hi);
    check_equal(hi, want(int{}));
    sk::vector<unsigned> hu(bins, 3);
    sk::for_each(SKELRT_FN((sk::index1 i, int v, sk::accumulator<unsigned> out) {
        out.add(((size_t)v * 31 + i.i) % out.size(), (unsigned)v);
    }))(x, hu);
    check_equal(hu, want(unsigned{}));
    sk::vector<long> hl(bins, 3);
    sk::for_each(SKELRT_FN((sk::index1 i, int v, sk::accumulator<long> out) {
        out.add(((size_t)v * 31 + i.i) % out.size(), (long)v);
    }))(x, hl);
    check_equal(hl, want(long{}));
    sk::vector<float> hf(bins, 3);
    sk::for_each(SKELRT_FN((sk::index1 i, int v, sk::accumulator<float> out) {
        out.add(((size_t)v * 31 + i.i) % out.size(), (float)v);
    }))(x, hf);
    check_equal(hf, want(float{}));
    sk::vector<double> hd(bins, 3);
    sk::for_each(SKELRT_FN((sk::index1 i, int v, sk::accumulator<double> out) {
        out.add(((size_t)v * 31 + i.i) % out.size(), (double)v);
    }))(x, hd);
    check_equal(hd, want(double{}));
}

TEST_CASE("accumulators larger than the call", "[accumulate]")
{
    const auto a = numbers<int>(70);
    sk::vector<int> h(100'003, 1);
    sk::for_each(SKELRT_FN((sk::index1 i, int v, sk::accumulator<int> out) {
        out.add(i.i * 1000, v);
        out.add(out.size() - 1 - i.i, 1);
    }))(vector_of(a), h);
    auto want = std::vector<int>(100'003, 1);
    for (std::size_t i = 0; i < 70; ++i) want[i * 1000] += a[i], want[want.size() - 1 - i] += 1;
    check_equal(h, want);
}

TEST_CASE("accumulators: shapes, matrices, fused operands, parts", "[accumulate]")
{
    const std::size_t rows = 123, cols = 57;
    const auto a = numbers<int>(rows * cols), b = numbers<int>(rows * cols, 2);
    const auto x = matrix_of(rows, cols, a), y = matrix_of(rows, cols, b);
    std::vector<int> want(64, 0);
    for (std::size_t i = 0; i < a.size(); ++i) want[static_cast<std::size_t>(a[i] + b[i])] += 1;
    sk::vector<int> h(64, 0);
    count(add(x, y), h);
    check_equal(h, want);
    sk::vector<int> part(100, 5);
    count(add(x, y), part.range(30, 40));
    check_equal(part, expected(100, [&](std::size_t i) { return 5 + (i >= 30 && i < 70 ? want[i - 30] : 0); }));
    // Strided operands, and an accumulator that is a matrix.
    sk::matrix<int> m(5, 4, 1);
    count(x.column(3), m);
    auto by_column = std::vector<int>(20, 1);
    for (std::size_t r = 0; r < rows; ++r) ++by_column[static_cast<std::size_t>(a[r * cols + 3])];
    check_equal(m, by_column);
    // Transposition by positions alone.
    sk::vector<int> turned(6 * 9, 0);
    sk::for_each(SKELRT_FN((sk::index2 i, int f, sk::accumulator<int> out) {
        out.add(i.col * 6 + i.row, f * (int)(i.row * 9 + i.col));
    }))(sk::shape(6, 9), 2, turned);
    check_equal(turned, expected(54, [](std::size_t i) { return static_cast<int>(2 * (i % 6 * 9 + i / 6)); }));
}

TEST_CASE("accumulators in a chain of calls", "[accumulate][asynchronous]")
{
    const std::size_t n = 20'000;
    const auto a = numbers<int>(n);
    auto x = vector_of(a);
    sk::vector<int> h(10, 0);
    for (int k = 0; k < 5; ++k) count(x, h);
    x = add(x, x); // does not overtake the calls that read x
    const sk::vector<int> twice = add(h, h);
    std::vector<int> want(10, 0);
    for (const int v : a) want[static_cast<std::size_t>(v)] += 5;
    check_equal(h, want);
    check_equal(twice, expected(10, [&](std::size_t i) { return 2 * want[i]; }));
    h = add(h, h);
    count(vector_of(a), h);
    check_equal(h, expected(10, [&](std::size_t i) { return 2 * want[i] + want[i] / 5; }));
}

TEST_CASE("gather and scatter", "[accumulate][gather]")
{
    const auto n = sizes();
    const auto index = expected(n, [&](std::size_t i) { return static_cast<unsigned>(i * 7919 % n); });
    const auto a = numbers<float>(n);
    const auto x = vector_of(a);
    const auto at = vector_of(index);
    const sk::vector<float> y = sk::gather(x, at);
    check_equal(y, expected(n, [&](std::size_t i) { return a[index[i]]; }));
    sk::vector<float> into(n + 1, 0.5f);
    sk::scatter_add(x, at, into);
    std::vector<float> want(n + 1, 0.5f);
    for (std::size_t i = 0; i < n; ++i) want[index[i]] += a[i];
    check_equal(into, want);
}
