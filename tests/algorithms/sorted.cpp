// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <algorithm>
#include <iterator>

using namespace test;

namespace
{

template <class T>
std::vector<T> sorted_numbers(std::size_t n, unsigned below, unsigned seed)
{
    auto v = random_numbers<T>(n, below, seed);
    std::sort(v.begin(), v.end());
    return v;
}

} // namespace

TEST_CASE("merge, and sets of sorted vectors, as the standard library has them", "[sorted]")
{
    const auto n = lengths();
    const std::size_t m = GENERATE(as<std::size_t>(), 0, 1, 4001);
    const unsigned below = GENERATE(3u, 1000u, 1'000'000'000u);
    CAPTURE(n, m, below);
    const auto a = sorted_numbers<int>(n, below, 1), b = sorted_numbers<int>(m, below, 2);
    const auto x = vector_of(a), y = vector_of(b);
    std::vector<int> want;
    std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(want));
    const sk::vector<int> merged = sk::merge(x, y);
    check_equal(merged, want);
    want.clear();
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(want));
    const sk::vector<int> common = sk::set_intersection(x, y);
    check_equal(common, want);
    want.clear();
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(want));
    const sk::vector<int> rest = sk::set_difference(x, y);
    check_equal(rest, want);
    want.clear();
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(want));
    const sk::vector<int> either = sk::set_union(x, y);
    check_equal(either, want);
}

TEST_CASE("merges around the places where the path is known, and GPUs' tiles", "[sorted]")
{
    const auto [n, m] = GENERATE(table<std::size_t, std::size_t>(
        {{511, 1}, {512, 0}, {0, 513}, {256, 256}, {2048, 2047}, {2048, 2048}, {1, 4096}, {5000, 7289}, {0, 12'289}}));
    const unsigned below = GENERATE(2u, 700u);
    CAPTURE(n, m, below);
    auto a = sorted_numbers<float>(n, below, 8), b = sorted_numbers<float>(m, below, 9);
    const bool apart = GENERATE(false, true);
    if (apart)
        for (float& v : a) v += 1000;
    std::vector<float> want;
    std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(want));
    const auto x = vector_of(a), y = vector_of(b);
    const sk::vector<float> merged = sk::merge(x, y);
    check_equal(merged, want);
    const auto twice = sk::map(SKELRT_FN((float v) { return 2 * v; }));
    const sk::vector<float> doubled = twice(sk::merge(x, y));
    for (float& v : want) v *= 2;
    check_equal(doubled, want);
}

TEST_CASE("lower_bound and upper_bound of many values", "[sorted]")
{
    const auto n = lengths();
    const std::size_t m = GENERATE(as<std::size_t>(), 0, 1, 3001);
    const auto a = sorted_numbers<float>(n, 500, 3);
    const auto b = random_numbers<float>(m, 510, 4);
    const auto x = vector_of(a), v = vector_of(b);
    const sk::vector<std::size_t> low = sk::lower_bound(x, v), high = sk::upper_bound(x, v);
    const auto place = [&](auto i) { return static_cast<std::size_t>(i - a.begin()); };
    check_equal(low, expected(m, [&](std::size_t i) { return place(std::lower_bound(a.begin(), a.end(), b[i])); }));
    check_equal(high, expected(m, [&](std::size_t i) { return place(std::upper_bound(a.begin(), a.end(), b[i])); }));
}

TEST_CASE("merges and searches of parts and calls; doubles", "[sorted]")
{
    const std::size_t n = 3001;
    const auto a = sorted_numbers<double>(n, 1000, 5);
    const auto x = vector_of(a);
    const auto shift = sk::map(SKELRT_FN((double v) { return v + 0.5; }));
    const sk::vector<double> y = sk::merge(x.range(100, 500), shift(x));
    std::vector<double> part(a.begin() + 100, a.begin() + 600), moved = a, want;
    for (double& v : moved) v += 0.5;
    std::merge(part.begin(), part.end(), moved.begin(), moved.end(), std::back_inserter(want));
    check_equal(y, want);
}
