// SPDX-License-Identifier: BSD-3-Clause
/// The loops by which cores merge: any part of the result, from any place on.
#include "support.hpp"

#include <algorithm>
#include <functional>
#include <iterator>

using namespace test;
using sk::detail::merge_step;

namespace
{

struct key {
    int value, number;
    bool operator==(const key& o) const { return value == o.value && number == o.number; }
};
struct by_value {
    bool operator()(const key& a, const key& b) const { return a.value < b.value; }
};

std::vector<key> sorted_keys(std::size_t n, unsigned below, int first)
{
    auto values = random_numbers<int>(n, below, static_cast<unsigned>(n) + 1);
    std::sort(values.begin(), values.end());
    return expected(n, [&](std::size_t i) { return key{values[i], first + static_cast<int>(i)}; });
}

template <class T, class Less>
struct merging {
    std::vector<T> a, b;
    sk::vec<T> x{a.data(), a.size()}, y{b.data(), b.size()};
    std::size_t all = a.size() + b.size();
    std::vector<std::size_t> crossings = expected((all + merge_step - 1) / merge_step + 1, [&](std::size_t i) {
        return sk::detail::merge_crossing<T, Less>{}(sk::index1{i}, x, y);
    });
    sk::vec<std::size_t> path{crossings.data(), crossings.size()};

    std::vector<T> run(std::size_t first, std::size_t count) const
    {
        std::vector<T> out(count);
        sk::detail::merged_element<T, Less>::run(sk::index1{first}, count, out.data(), x, y, path);
        return out;
    }
    T one(std::size_t at) const { return sk::detail::merged_element<T, Less>{}(sk::index1{at}, x, y, path); }
};

} // namespace

TEST_CASE("runs of merges begin and end anywhere", "[sorted]")
{
    const auto [n, m] = GENERATE(table<std::size_t, std::size_t>(
        {{0, 0}, {1, 0}, {0, 1}, {3, 2}, {512, 512}, {2048, 2048}, {700, 5001}, {9000, 1}, {0, 5500}, {4096, 4096}}));
    const unsigned below = GENERATE(1u, 4u, 100'000u);
    CAPTURE(n, m, below);
    const merging<key, by_value> call{sorted_keys(n, below, 1), sorted_keys(m, below, 1'000'000)};
    std::vector<key> want;
    std::merge(call.a.begin(), call.a.end(), call.b.begin(), call.b.end(), std::back_inserter(want), by_value{});
    for (const std::size_t first : {0, 1, 127, 511, 2047, 2048, 2049, 4000, 4096, 8700})
        for (const std::size_t count : {0, 1, 2, 127, 128, 129, 385, 2048, 4096, 9000}) {
            if (first > call.all) continue;
            const std::size_t some = std::min(count, call.all - first);
            CAPTURE(first, some);
            const auto begin = want.begin() + static_cast<std::ptrdiff_t>(first);
            REQUIRE(call.run(first, some) == std::vector<key>(begin, begin + static_cast<std::ptrdiff_t>(some)));
        }
    for (std::size_t i = 0; i < call.all; ++i) REQUIRE(call.one(i) == want[i]);
}

namespace
{

struct no_order {
    bool operator()(int a, int b) const { return (static_cast<unsigned>(a) * 7 + static_cast<unsigned>(b)) % 3 == 0; }
};

/// The elements are 0 to below; with what lies outside of the vectors others would come.
template <class Less>
void check_inside(const merging<int, Less>& call)
{
    for (std::size_t first = 0; first < call.all; first += 97) {
        const auto got = call.run(first, std::min<std::size_t>(1000, call.all - first));
        REQUIRE(std::ranges::all_of(got, [](int v) { return v >= 0 && v < 1000; }));
        REQUIRE(call.one(first) >= 0);
    }
}

} // namespace

TEST_CASE("merges of what is not sorted stay inside", "[sorted]")
{
    const auto a = random_numbers<int>(3001, 1000, 1), b = random_numbers<int>(1999, 1000, 2);
    check_inside(merging<int, std::less<>>{a, b});
    check_inside(merging<int, no_order>{a, b});
    check_inside(merging<int, no_order>{b, {}});
}

TEST_CASE("runs of sets begin and end anywhere", "[sorted]")
{
    const auto [n, m] = GENERATE(
        table<std::size_t, std::size_t>({{1, 0}, {1, 1}, {3, 2}, {700, 2001}, {2001, 700}, {60, 5000}, {5000, 60}}));
    const unsigned below = GENERATE(1u, 4u, 900u, 100'000u);
    CAPTURE(n, m, below);
    const auto a = sorted_keys(n, below, 1), b = sorted_keys(m, below, 1'000'000);
    std::vector<key> common;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common), by_value{});
    std::vector<unsigned char> want(n, 0);
    for (const key& k : common) want[static_cast<std::size_t>(k.number - 1)] = 1;
    using function = sk::detail::is_common<key, by_value>;
    const sk::vec<key> x(a.data(), n), y(b.data(), m);
    for (std::size_t i = 0; i < n; ++i) REQUIRE(function{}(sk::index1{i}, x, y) == want[i]);
    for (std::size_t first = 0; first < n; first += 1 + n / 50)
        for (const std::size_t count : {1, 2, 100, 5000}) {
            const std::size_t some = std::min(count, n - first);
            CAPTURE(first, some);
            std::vector<unsigned char> got(some);
            function::run(sk::index1{first}, some, got.data(), x, y);
            const auto begin = want.begin() + static_cast<std::ptrdiff_t>(first);
            REQUIRE(got == std::vector<unsigned char>(begin, begin + static_cast<std::ptrdiff_t>(some)));
        }
}
