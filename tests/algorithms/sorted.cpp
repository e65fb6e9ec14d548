// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <algorithm>
#include <iterator>

using namespace test;

namespace office
{

/// Its number tells equal ones apart.
SKELRT_SHARED(
    struct ticket {
        int floor;
        int number;
    };
    inline int distance(int floor) { return floor < 0 ? -floor : floor; })

static bool operator==(const ticket& a, const ticket& b) { return a.floor == b.floor && a.number == b.number; }

namespace
{

const auto nearer = SKELRT_FN((ticket a, ticket b) { return distance(a.floor) < distance(b.floor); });

} // namespace

} // namespace office

SKELRT_SHARED(struct measured {
    double value;
    long number;
    float rest[4];
};)

static bool operator==(const measured& a, const measured& b) { return a.value == b.value && a.number == b.number; }

namespace
{

using office::nearer, office::ticket;

const auto descending = SKELRT_FN((auto a, auto b) { return b < a; });
const auto by_value = SKELRT_FN((measured a, measured b) { return a.value < b.value; });

template <class T, class Less>
std::vector<T> in_order(std::vector<T> v, const Less& less)
{
    std::stable_sort(v.begin(), v.end(), less);
    return v;
}

std::vector<ticket> tickets(std::size_t n, unsigned below, int first_number)
{
    const auto floors = random_numbers<int>(n, below, static_cast<unsigned>(first_number));
    return expected(n, [&](std::size_t i) {
        return ticket{floors[i] - static_cast<int>(below / 2), first_number + static_cast<int>(i)};
    });
}

std::vector<measured> measurements(std::size_t n, unsigned below, int first_number)
{
    const auto values = random_numbers<double>(n, below, static_cast<unsigned>(first_number));
    return expected(n, [&](std::size_t i) {
        return measured{values[i] * 0.25, first_number + static_cast<long>(i), {}};
    });
}

/// All that takes a comparator, of two vectors in that order.
template <class T, class Less>
void check_all_in_order(const std::vector<T>& a, const std::vector<T>& b, const Less& less)
{
    const auto x = vector_of(a), y = vector_of(b);
    std::vector<T> want;
    std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(want), less);
    const sk::vector<T> merged = sk::merge(x, y, less);
    check_equal(merged, want);
    want.clear();
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(want), less);
    const sk::vector<T> common = sk::set_intersection(x, y, less);
    check_equal(common, want);
    want.clear();
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(want), less);
    const sk::vector<T> rest = sk::set_difference(x, y, less);
    check_equal(rest, want);
    want.clear();
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(want), less);
    const sk::vector<T> either = sk::set_union(x, y, less);
    check_equal(either, want);
    want.clear();
    std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(want), less);
    const sk::vector<T> one = sk::set_symmetric_difference(x, y, less);
    check_equal(one, want);
    const sk::vector<std::size_t> low = sk::lower_bound(x, y, less), high = sk::upper_bound(x, y, less);
    const auto place = [&](auto i) { return static_cast<std::size_t>(i - a.begin()); };
    check_equal(low, expected(b.size(),
                              [&](std::size_t i) { return place(std::lower_bound(a.begin(), a.end(), b[i], less)); }));
    check_equal(high, expected(b.size(),
                               [&](std::size_t i) { return place(std::upper_bound(a.begin(), a.end(), b[i], less)); }));
}

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
    want.clear();
    std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(want));
    const sk::vector<int> one = sk::set_symmetric_difference(x, y);
    check_equal(one, want);
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

TEST_CASE("merges, sets and searches in the order of a comparator: numbers", "[sorted]")
{
    const auto n = lengths();
    const std::size_t m = GENERATE(as<std::size_t>(), 0, 1, 4001);
    const unsigned below = GENERATE(3u, 1000u);
    CAPTURE(n, m, below);
    const auto ints = [&](std::size_t size, unsigned seed) {
        return in_order(random_numbers<int>(size, below, seed), descending);
    };
    const auto doubles = [&](std::size_t size, unsigned seed) {
        return in_order(random_numbers<double>(size, below, seed), descending);
    };
    check_all_in_order(ints(n, 1), ints(m, 2), descending);
    check_all_in_order(doubles(n, 3), doubles(m, 4), descending);
}

TEST_CASE("merges, sets and searches of structs: equal elements stay in their order, those of a first", "[sorted]")
{
    const auto n = lengths();
    const std::size_t m = GENERATE(as<std::size_t>(), 0, 1, 4001);
    const unsigned below = GENERATE(5u, 1000u);
    CAPTURE(n, m, below);
    check_all_in_order(in_order(tickets(n, below, 1), nearer), in_order(tickets(m, below, 1'000'000), nearer), nearer);
    check_all_in_order(in_order(measurements(n, below, 1), by_value),
                       in_order(measurements(m, below, 2'000'000), by_value), by_value);
}

TEST_CASE("searches of structs for values of another type", "[sorted]")
{
    const auto a = in_order(tickets(3001, 500, 7), nearer);
    const auto b = random_numbers<short>(1009, 260, 8);
    const auto x = vector_of(a);
    const auto v = vector_of(b);
    const auto below = SKELRT_FN((ticket t, short floor) { return office::distance(t.floor) < floor; });
    const auto above = SKELRT_FN((short floor, ticket t) { return floor < office::distance(t.floor); });
    const sk::vector<std::size_t> low = sk::lower_bound(x, v, below), high = sk::upper_bound(x, v, above);
    const auto place = [&](auto i) { return static_cast<std::size_t>(i - a.begin()); };
    check_equal(low, expected(b.size(),
                              [&](std::size_t i) { return place(std::lower_bound(a.begin(), a.end(), b[i], below)); }));
    check_equal(high, expected(b.size(), [&](std::size_t i) {
                    return place(std::upper_bound(a.begin(), a.end(), b[i], above));
                }));
}

TEST_CASE("two orders in one call", "[sorted]")
{
    const auto up = sorted_numbers<int>(2003, 500, 9);
    const auto down = in_order(sorted_numbers<int>(1009, 500, 10), descending);
    const auto b = random_numbers<int>(3001, 510, 11);
    const auto x = vector_of(up), y = vector_of(down), v = vector_of(b);
    const auto both = sk::map(SKELRT_FN((std::size_t i, std::size_t k) { return 10'000 * i + k; }));
    const sk::vector<std::size_t> at = both(sk::lower_bound(x, v), sk::lower_bound(y, v, descending));
    check_equal(at, expected(b.size(), [&](std::size_t i) {
                    const auto first = std::lower_bound(up.begin(), up.end(), b[i]) - up.begin();
                    const auto second = std::lower_bound(down.begin(), down.end(), b[i], descending) - down.begin();
                    return static_cast<std::size_t>(10'000 * first + second);
                }));
}
