// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <algorithm>
#include <stdexcept>

using namespace test;

TEST_CASE("unique: one of each run", "[unique]")
{
    const auto n = lengths();
    const unsigned longest = GENERATE(1u, 5u, 1'000'000u);
    auto a = runs(n, longest, 5);
    const auto x = vector_of(a);
    const sk::vector<int> y = sk::unique(x);
    a.erase(std::unique(a.begin(), a.end()), a.end());
    check_equal(y, a);
}

TEST_CASE("unique elements of a sorted vector, of a call and of a part", "[unique]")
{
    const std::size_t n = 20'011;
    auto a = random_numbers<float>(n, 500);
    const auto x = vector_of(a);
    std::sort(a.begin(), a.end());
    auto b = a;
    a.erase(std::unique(a.begin(), a.end()), a.end());
    const sk::vector<float> y = sk::unique(sk::sort(x));
    check_equal(y, a);
    const auto half = sk::map(SKELRT_FN((float v) { return floor(v / 2); }));
    for (float& v : b) v = std::floor(v / 2);
    b.erase(std::unique(b.begin(), b.end()), b.end());
    const sk::vector<float> z = sk::unique(half(sk::vector<float>(sk::sort(x))));
    check_equal(z, b);
    const sk::vector<float> part = sk::unique(y.range(3, 20));
    check_equal(part, std::vector<float>(a.begin() + 3, a.begin() + 23));
}

TEST_CASE("partition keeps the order on both sides", "[partition]")
{
    const auto n = lengths();
    const int bound = GENERATE(0, 3, 10);
    auto a = numbers<int>(n);
    for (std::size_t i = 0; i < n; ++i) a[i] += 10 * static_cast<int>(i);
    const auto below = sk::map(SKELRT_FN((int v, int bound) { return v % 10 < bound; }));
    static_cast<void>(below);
    const auto digit = SKELRT_FN((int v) { return v % 10 < 3; });
    const auto none = SKELRT_FN((int v) { return v < 0; });
    const auto all = SKELRT_FN((int v) { return v >= 0 ? 2 : 0; });
    const auto x = vector_of(a);
    const auto got = bound == 0 ? sk::partition(x, none) : bound == 3 ? sk::partition(x, digit) : sk::partition(x, all);
    const auto split = std::stable_partition(a.begin(), a.end(), [&](int v) { return v % 10 < bound; });
    REQUIRE(got.count == static_cast<std::size_t>(split - a.begin()));
    check_equal(got.elements, a);
}

TEST_CASE("partition: none, one, all but one, and all of many", "[partition]")
{
    const std::size_t n = GENERATE(as<std::size_t>(), 1, 2, 511, 512, 513, 65'536, 1'000'003);
    const std::size_t special = GENERATE(as<std::size_t>(), 0, 1, 2) * (n - 1) / 2;
    const auto is_set = SKELRT_FN((int v) { return v % 2; });
    const auto check = [&](const std::vector<int>& a) {
        const auto [y, count] = sk::partition(vector_of(a), is_set);
        auto want = a;
        const auto split = std::stable_partition(want.begin(), want.end(), [](int v) { return v % 2 != 0; });
        REQUIRE(count == static_cast<std::size_t>(split - want.begin()));
        check_equal(y, want);
    };
    CAPTURE(n, special);
    auto a = expected(n, [](std::size_t i) { return 2 * static_cast<int>(i); });
    check(a);
    ++a[special];
    check(a); // one
    for (int& v : a) v ^= 1;
    check(a); // all but one
    a[special] |= 1;
    check(a);
}

TEST_CASE("partition of a column, by a function that takes a value along", "[partition]")
{
    const std::size_t rows = 5003;
    const auto all = numbers<int>(rows * 3);
    const sk::matrix<int> m = sk::reshape(vector_of(all), rows, 3);
    auto a = expected(rows, [&](std::size_t i) { return all[3 * i + 1]; });
    const int bound = 4;
    const auto is_low = SKELRT_FN_WITH((bound), (int v) { return v < bound; });
    const auto [y, count] = sk::partition(m.column(1), is_low);
    const auto split = std::stable_partition(a.begin(), a.end(), [&](int v) { return v < bound; });
    REQUIRE(count == static_cast<std::size_t>(split - a.begin()));
    check_equal(y, a);
}

TEST_CASE("partition: an exception in the predicate reaches the caller", "[partition][errors]")
{
    if (!test::devices().has(sk::device::cpu)) return; // device code throws nothing
    const sk::only cpu(sk::device::cpu);
    const auto picky = sk::function(
        [](int v) {
            if (v == 77) throw std::runtime_error("77");
            return v > 0;
        },
        "(int v) { return v > 0; }", __FILE__, __LINE__);
    const std::size_t n = GENERATE(as<std::size_t>(), 10, 500'000);
    std::vector<int> a(n, 1);
    a[n - 2] = 77;
    const auto x = vector_of(a);
    REQUIRE_THROWS_AS(sk::partition(x, picky), std::runtime_error);
}

TEST_CASE("unique and partition around the sizes of GPUs' tiles", "[unique][partition]")
{
    const std::size_t n = GENERATE(as<std::size_t>(), 6143, 6144, 6145, 9215, 9216, 9217, 18'433);
    const unsigned longest = GENERATE(1u, 3u);
    CAPTURE(n, longest);
    auto a = runs(n, longest, 6);
    const auto x = vector_of(a);
    const auto [both, count] = sk::partition(x, SKELRT_FN((int v) { return v != 2; }));
    const sk::vector<int> once = sk::unique(x);
    auto halves = a;
    const auto split = std::stable_partition(halves.begin(), halves.end(), [](int v) { return v != 2; });
    REQUIRE(count == static_cast<std::size_t>(split - halves.begin()));
    check_equal(both, halves);
    a.erase(std::unique(a.begin(), a.end()), a.end());
    check_equal(once, a);
}

TEST_CASE("partition of structs and of a call", "[partition]")
{
    const std::size_t n = 4001;
    auto f = affine_maps(n);
    const auto odd = SKELRT_FN((affine f) { return f.offset % 2; });
    const auto [y, count] = sk::partition(vector_of(f), odd);
    const auto split = std::stable_partition(f.begin(), f.end(), [](const affine& a) { return a.offset % 2 != 0; });
    REQUIRE(count == static_cast<std::size_t>(split - f.begin()));
    check_equal(y, f);
    auto a = numbers<int>(n);
    const auto triple = sk::map(SKELRT_FN((int v) { return 3 * v; }));
    const auto even = sk::partition(triple(vector_of(a)), SKELRT_FN((int v) { return v % 2 == 0; }));
    for (int& v : a) v *= 3;
    std::stable_partition(a.begin(), a.end(), [](int v) { return v % 2 == 0; });
    check_equal(even.elements, a);
}
