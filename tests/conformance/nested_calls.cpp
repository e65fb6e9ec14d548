// SPDX-License-Identifier: BSD-3-Clause
#include "stencil_support.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

using namespace test;

/// Calls that no kernel computes element by element, as operands of other calls: each is evaluated first, when the call
/// around it is.

namespace
{

const auto add = sk::map(sk::plus);
const auto twice = sk::map(SKELRT_FN((int a) { return 2 * a; }));
const auto sums = sk::scan(sk::plus);
const auto sum = sk::reduce(sk::plus, 0);
const auto odd = sk::filter(SKELRT_FN((int a) { return a % 2 != 0; }));
const auto product = sk::all_pairs(sk::multiplies, sk::plus, 0);
const auto beside =
    sk::stencil(SKELRT_FN((sk::hood1<int> u, int shift) { return u(-1) + shift; }), sk::border::constant(0));

std::vector<int> running(const std::vector<int>& a)
{
    std::vector<int> r(a.size());
    std::partial_sum(a.begin(), a.end(), r.begin());
    return r;
}

std::vector<int> ordered(std::vector<int> a)
{
    std::sort(a.begin(), a.end());
    return a;
}

std::vector<int> kept(std::vector<int> a)
{
    std::erase_if(a, [](int v) { return v % 2 == 0; });
    return a;
}

std::vector<int> multiplied(const std::vector<int>& a, const std::vector<int>& b, std::size_t n)
{
    return expected(n * n, [&](std::size_t i) {
        int s = 0;
        for (std::size_t k = 0; k < n; ++k) s += a[i / n * n + k] * b[i % n * n + k];
        return s;
    });
}

} // namespace

TEST_CASE("scans and sorts as operands", "[nested][scan][sort]")
{
    for (const std::size_t n : {0, 1, 1000, 50021}) {
        CAPTURE(n);
        const auto a = numbers<int>(n, 1), b = numbers<int>(n, 2);
        const auto x = vector_of(a), y = vector_of(b);
        const auto ends = running(a), sorted = ordered(b);
        const sk::vector<int> z = add(sums(x), sk::sort(y));
        check_equal(z, expected(n, [&](std::size_t i) { return ends[i] + sorted[i]; }));
        const sk::vector<int> under = sums(sk::sort(twice(y)));
        std::vector<int> doubled(sorted);
        for (int& v : doubled) v *= 2;
        check_equal(under, running(doubled));
        const int all = sum(sums(x));
        CHECK(all == std::accumulate(ends.begin(), ends.end(), 0));
        const sk::vector<int> both = sums(x) - sk::sort(y);
        check_equal(both, expected(n, [&](std::size_t i) { return ends[i] - sorted[i]; }));
    }
}

TEST_CASE("filters as operands have their own size", "[nested][filter]")
{
    for (const std::size_t n : {0, 1, 1000, 50021}) {
        CAPTURE(n);
        const auto a = numbers<int>(n, 3);
        const auto x = vector_of(a);
        const auto some = kept(a);
        const sk::vector<int> z = twice(odd(x));
        check_equal(z, expected(some.size(), [&](std::size_t i) { return 2 * some[i]; }));
        const int all = sum(twice(odd(x)));
        CHECK(all == 2 * std::accumulate(some.begin(), some.end(), 0));
        const sk::vector<int> sorted = sk::sort(odd(x));
        check_equal(sorted, ordered(some));
        const sk::vector<int> again = odd(sums(x));
        check_equal(again, kept(running(a)));
    }
}

TEST_CASE("a filter beside elements of another number is refused", "[nested][filter]")
{
    const auto x = vector_of(std::vector<int>{1, 2, 3, 4});
    sk::vector<int> z;
    CHECK_THROWS_AS((z = add(odd(x), x)), sk::error);
}

TEST_CASE("products as operands", "[nested][pairs]")
{
    for (const std::size_t n : {1, 40, 129}) {
        CAPTURE(n);
        const auto a = numbers<int>(n * n, 4), b = numbers<int>(n * n, 5), c = numbers<int>(n * n, 6);
        const auto l = matrix_of(n, n, a), r = matrix_of(n, n, b), m = matrix_of(n, n, c);
        const auto p = multiplied(a, b, n);
        const sk::matrix<int> z = twice(product(l, r)) - m;
        check_equal(z, expected(n * n, [&](std::size_t i) { return 2 * p[i] - c[i]; }));
        const sk::matrix<int> chain = product(product(l, r), m);
        check_equal(chain, multiplied(p, c, n));
        sk::matrix<int> added = m;
        added += product(l, r);
        check_equal(added, expected(n * n, [&](std::size_t i) { return c[i] + p[i]; }));
        const sk::vector<int> of_rows = sum.by_row(product(l, r));
        check_equal(of_rows, expected(n, [&](std::size_t i) {
                        return std::accumulate(p.begin() + std::ptrdiff_t(i * n), p.begin() + std::ptrdiff_t(i * n + n),
                                               0);
                    }));
        const int trace = sum(sum.by_column(product(l, r)));
        CHECK(trace == std::accumulate(p.begin(), p.end(), 0));
    }
}

TEST_CASE("reductions as operands", "[nested][reduce]")
{
    const std::size_t n = 1000;
    const auto a = numbers<int>(n, 7);
    const int all = std::accumulate(a.begin(), a.end(), 0);
    const auto x = vector_of(a);
    const sk::vector<int> z = add(x, sum(x));
    check_equal(z, expected(n, [&](std::size_t i) { return a[i] + all; }));
    const sk::scalar<int> one = add(sum(x), sum(twice(x)));
    CHECK(one.get() == 3 * all);
    const sk::vector<int> shifted = beside(x, sum(x));
    check_equal(shifted, expected(n, [&](std::size_t i) { return (i > 0 ? a[i - 1] : 0) + all; }));
}

TEST_CASE("hoods look around in results of any call", "[nested][stencil]")
{
    const std::size_t n = 1000;
    const auto a = numbers<int>(n, 8);
    const auto x = vector_of(a);
    const auto ends = running(a), some = kept(a);
    const sk::vector<int> z = beside(sums(x), 1);
    check_equal(z, expected(n, [&](std::size_t i) { return (i > 0 ? ends[i - 1] : 0) + 1; }));
    const sk::vector<int> of_some = beside(odd(x), 1);
    check_equal(of_some, expected(some.size(), [&](std::size_t i) { return (i > 0 ? some[i - 1] : 0) + 1; }));
    const sk::vector<int> later = beside(beside.iterate(2, x, 1), 1);
    check_equal(later, expected(n, [&](std::size_t i) { return i > 2 ? a[i - 3] + 3 : static_cast<int>(i) + 1; }));
}

TEST_CASE("a call around others sees what its operands hold when it is evaluated", "[nested]")
{
    const std::size_t n = 100;
    auto x = vector_of(std::vector<int>(n, 1));
    const auto step = add(sums(x), sum(x)) + odd(x);
    x = step; // 1 + ... + 1, 100 and 1
    check_equal(x, expected(n, [](std::size_t i) { return static_cast<int>(i) + 1 + 100 + 1; }));
    x.assign(n, 3);
    x = step;
    check_equal(x, expected(n, [](std::size_t i) { return 3 * (static_cast<int>(i) + 1) + 300 + 3; }));
}

TEST_CASE("nested calls give the same without fusion", "[nested][fusion]")
{
    const sk::fusion off(false);
    const std::size_t n = 500;
    const auto a = numbers<int>(n, 9);
    const auto x = vector_of(a);
    const auto ends = running(a), some = kept(a);
    const int all = std::accumulate(a.begin(), a.end(), 0);
    const sk::vector<int> z = twice(add(sums(twice(x)), sum(x)));
    check_equal(z, expected(n, [&](std::size_t i) { return 2 * (2 * ends[i] + all); }));
    const sk::vector<int> filtered = twice(twice(odd(x)));
    check_equal(filtered, expected(some.size(), [&](std::size_t i) { return 4 * some[i]; }));
}
