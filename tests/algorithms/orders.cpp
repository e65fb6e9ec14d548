// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include "../message_of.hpp"

#include <algorithm>
#include <numeric>

using namespace test;

TEST_CASE("reverse and rotate", "[reorder]")
{
    const auto n = lengths();
    const auto a = numbers<int>(n);
    const auto x = vector_of(a);
    const sk::vector<int> backwards = sk::reverse(x);
    check_equal(backwards, std::vector<int>(a.rbegin(), a.rend()));
    for (const std::size_t first : {std::size_t{0}, n / 3, n}) {
        auto want = a;
        std::rotate(want.begin(), want.begin() + static_cast<std::ptrdiff_t>(first), want.end());
        const sk::vector<int> y = sk::rotate(x, first);
        check_equal(y, want);
    }
    REQUIRE(message_of([&] { static_cast<void>(sk::rotate(x, n + 1)); }).find("cannot come first") !=
            std::string::npos);
}

TEST_CASE("shuffle: a permutation of the seed's, the same everywhere", "[reorder]")
{
    const auto n = lengths();
    const auto a = expected(n, [](std::size_t i) { return static_cast<int>(i); });
    auto x = vector_of(a);
    const sk::vector<int> y = sk::shuffle(x, sk::random_seed{42}), again = sk::shuffle(x, sk::random_seed{42});
    const auto got = values(y);
    check_equal(again, got);
    auto sorted = got;
    std::sort(sorted.begin(), sorted.end());
    check_equal(sorted, a);
    // As a plain program that draws the same keys.
    std::vector<std::pair<std::size_t, int>> keyed;
    for (std::size_t i = 0; i < n; ++i) {
        sk::random r(sk::random_seed{42}.key(), i);
        const std::size_t high = r.bits(), low = r.bits();
        keyed.push_back({high << 32 | low, a[i]});
    }
    std::stable_sort(keyed.begin(), keyed.end(), [](const auto& p, const auto& q) { return p.first < q.first; });
    check_equal(got, expected(n, [&](std::size_t i) { return keyed[i].second; }));
    if (n > 1000) REQUIRE(values(sk::shuffle(x, sk::random_seed{43})) != got);
}

TEST_CASE("adjacent_difference undoes a scan", "[adjacent_difference]")
{
    const auto n = lengths();
    const auto a = numbers<int>(n);
    const auto x = vector_of(a);
    const sk::vector<int> sums = sk::scan(sk::plus)(x);
    const sk::vector<int> y = sk::adjacent_difference(sums);
    check_equal(y, a);
    const auto twice = sk::map(SKELRT_FN((int v) { return 2 * v; }));
    const sk::vector<int> z = sk::adjacent_difference(twice(sums));
    check_equal(z, expected(n, [&](std::size_t i) { return 2 * a[i]; }));
    const sk::vector<int> products = sk::adjacent_difference(x, SKELRT_FN((int v, int w) { return v * w + 1; }));
    check_equal(products, expected(n, [&](std::size_t i) { return i == 0 ? a[0] : a[i] * a[i - 1] + 1; }));
}

TEST_CASE("fill, copy, iota", "[assign]")
{
    const auto n = lengths();
    sk::vector<int> x = sk::iota(n, 5);
    check_equal(x, expected(n, [](std::size_t i) { return static_cast<int>(i) + 5; }));
    const sk::vector<float> halves = sk::iota(n, 0.5f);
    check_equal(halves, expected(n, [](std::size_t i) { return static_cast<float>(i) + 0.5f; }));
    sk::vector<int> y(n, 1);
    sk::copy(x, y);
    check_equal(y, values(x));
    sk::fill(x, 7);
    check_equal(x, std::vector<int>(n, 7));
    if (n >= 61) {
        sk::fill(x.range(10, 30), 8);
        sk::copy(y.range(0, 5), x.range(1, 5));
        check_equal(x, expected(n, [](std::size_t i) {
                        return i > 0 && i < 6 ? static_cast<int>(i) + 4 : i >= 10 && i < 40 ? 8 : 7;
                    }));
    }
    sk::matrix<double> m(7, 9, 0.0);
    sk::fill(m, 2.5);
    check_equal(m, std::vector<double>(63, 2.5));
    sk::fill(m.column(3), 1.5);
    check_equal(m, expected(63, [](std::size_t i) { return i % 9 == 3 ? 1.5 : 2.5; }));
}

TEST_CASE("scatter: one writer an element, the others stay", "[scatter]")
{
    const auto n = lengths();
    std::vector<unsigned> places(2 * n + 3);
    std::iota(places.begin(), places.end(), 0u);
    std::mt19937 random(17);
    std::shuffle(places.begin(), places.end(), random);
    places.resize(n);
    const auto f = affine_maps(n);
    std::vector<affine> want(2 * n + 3, affine{1, 2});
    sk::vector<affine> y(2 * n + 3, affine{1, 2});
    sk::scatter(vector_of(f), vector_of(places), y);
    for (std::size_t i = 0; i < n; ++i) want[places[i]] = f[i];
    check_equal(y, want);
    // Where functions may not write in place.
    if (n > 0) {
        sk::vector<int> own = sk::iota(n, 0);
        std::vector<int> turned(n);
        for (std::size_t i = 0; i < n; ++i) turned[n - 1 - i] = static_cast<int>(i);
        const sk::vector<int> back_to_front = vector_of(turned);
        sk::scatter(own, back_to_front, own);
        check_equal(own, turned);
        sk::matrix<int> m(n, 3, 5);
        sk::scatter(sk::vector<int>(sk::iota(n, 0)), back_to_front, m.column(1));
        check_equal(m, expected(3 * n, [&](std::size_t i) { return i % 3 == 1 ? turned[i / 3] : 5; }));
    }
    // Gathering brings them back.
    const sk::vector<affine> back = sk::gather(y, vector_of(places));
    check_equal(back, f);
    const sk::vector<int> x(4, 1), index(5, 0);
    sk::vector<int> to(9, 0);
    REQUIRE(message_of([&] { sk::scatter(x, index, to); }) ==
            "sk::scatter: 4 elements, but 5 indices; pass vectors of one size, or a range of the larger one");
}
