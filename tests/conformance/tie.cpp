// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <numeric>

using namespace test;

SKELRT_SHARED(struct two_parts {
    int whole;
    double half;
};)
SKELRT_SHARED(struct three_parts {
    unsigned char low;
    float middle;
    unsigned long high;
};)
SKELRT_SHARED(struct swapped { int first, second; };)

namespace
{

const auto split = sk::map(SKELRT_FN((int a) {
    two_parts p;
    p.whole = a * 3;
    p.half = (double)a * 0.5;
    return p;
}));
const auto cut = sk::map(SKELRT_FN((sk::index1 i, int a, int b) {
    three_parts p;
    p.low = (unsigned char)(a + 1);
    p.middle = (float)(a - b);
    p.high = i.i * 1000;
    return p;
}));
const auto swap_both = sk::map(SKELRT_FN((int a, int b) {
    swapped p;
    p.first = b;
    p.second = a;
    return p;
}));
const auto add = sk::map(SKELRT_FN((int a, int b) { return a + b; }));

} // namespace

TEST_CASE("two results of one call", "[tie]")
{
    const auto n = sizes();
    const auto a = numbers<int>(n);
    sk::vector<int> whole;
    sk::vector<double> half(3, 7.0);
    sk::tie(whole, half) = split(vector_of(a));
    check_equal(whole, expected(n, [&](std::size_t i) { return a[i] * 3; }));
    check_equal(half, expected(n, [&](std::size_t i) { return a[i] * 0.5; }));
    sk::vector<int> again(n);
    sk::vector<double> half_again(n);
    again.set_tiles(3);
    half_again.set_tiles(5);
    sk::tie(again, half_again) = split(whole);
    check_equal(again, expected(n, [&](std::size_t i) { return a[i] * 9; }));
    check_equal(half_again, expected(n, [&](std::size_t i) { return a[i] * 1.5; }));
}

TEST_CASE("three results of other sizes, fused operands, positions", "[tie][fusion]")
{
    for (const bool fused : {true, false}) {
        const sk::fusion switched(fused);
        const std::size_t rows = 41, cols = 73, n = rows * cols;
        const auto a = numbers<int>(n), b = numbers<int>(n, 2);
        const auto x = matrix_of(rows, cols, a), y = matrix_of(rows, cols, b);
        sk::matrix<unsigned char> low;
        sk::matrix<float> middle;
        sk::matrix<unsigned long> high;
        sk::tie(low, middle, high) = cut(add(x, y), y);
        check_equal(low, expected(n, [&](std::size_t i) { return static_cast<unsigned char>(a[i] + b[i] + 1); }));
        check_equal(middle, expected(n, [&](std::size_t i) { return static_cast<float>(a[i]); }));
        check_equal(high, expected(n, [&](std::size_t i) { return static_cast<unsigned long>(i * 1000); }));
        // A part of a matrix: rows with gaps.
        sk::tie(low, middle, high) = cut(x.sub(3, 5, 20, 30), y.sub(1, 2, 20, 30));
        REQUIRE(low.rows() == 20);
        check_equal(middle, expected(600, [&](std::size_t i) {
                        const std::size_t r = i / 30, c = i % 30;
                        return static_cast<float>(a[(r + 3) * cols + c + 5] - b[(r + 1) * cols + c + 2]);
                    }));
        check_equal(high, expected(600, [](std::size_t i) { return static_cast<unsigned long>(i * 1000); }));
    }
}

TEST_CASE("results over operands", "[tie]")
{
    const auto n = sizes();
    const auto a = numbers<int>(n), b = numbers<int>(n, 2);
    auto x = vector_of(a), y = vector_of(b);
    sk::tie(x, y) = swap_both(x, y); // in place
    check_equal(x, b);
    check_equal(y, a);
    if (n < 2) return;
    // What is read in another order than it is written must not be written over.
    sk::vector<int> z(n - 1);
    sk::tie(x, z) = swap_both(x.range(1, n - 1), x.range(0, n - 1));
    check_equal(x, expected(n - 1, [&](std::size_t i) { return b[i]; }));
    check_equal(z, expected(n - 1, [&](std::size_t i) { return b[i + 1]; }));
    sk::tie(x, z) = swap_both(z, x);
    const auto sum = sk::reduce(sk::plus, 0);
    REQUIRE(sum(add(x, z)).get() ==
            std::accumulate(b.begin(), b.end() - 1, 0) + std::accumulate(b.begin() + 1, b.end(), 0));
}
