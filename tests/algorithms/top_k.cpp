// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include "../message_of.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

using namespace test;

namespace
{

template <class T>
std::vector<T> largest(std::vector<T> v, std::size_t k)
{
    std::sort(v.begin(), v.end(), std::greater<>());
    v.resize(k);
    return v;
}

} // namespace

TEMPLATE_TEST_CASE("top_k of every kind of number", "[top_k]", float, double, int, unsigned, long, short, unsigned char)
{
    const auto n = lengths();
    auto a = random_numbers<TestType>(n, 70'000, 7);
    for (std::size_t i = 0; i < n; ++i)
        if constexpr (std::is_signed_v<TestType> || std::is_floating_point_v<TestType>)
            if (i % 3 == 0) a[i] = static_cast<TestType>(-a[i]);
    const auto x = vector_of(a);
    std::sort(a.begin(), a.end(), std::greater<>());
    for (const std::size_t k : {std::size_t{0}, std::size_t{1}, n / 3, n}) {
        if (k > n) continue;
        CAPTURE(n, k);
        const sk::vector<TestType> y = sk::top_k(x, k);
        check_equal(y, std::vector<TestType>(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(k)));
    }
}

TEST_CASE("top_k: extremes, equal elements, calls", "[top_k]")
{
    const float infinity = std::numeric_limits<float>::infinity();
    const sk::vector<float> x{1, -infinity, 0.0f, infinity, -1, 5, 5, 5, std::numeric_limits<float>::denorm_min()};
    const sk::vector<float> five = sk::top_k(x, 5);
    check_equal(five, std::vector<float>{infinity, 5, 5, 5, 1});
    const auto opposite = sk::map(sk::negate);
    const sk::vector<float> least = sk::top_k(opposite(x), 2);
    check_equal(least, std::vector<float>{infinity, 1});
    const sk::vector<int> same(10'000, -3);
    const sk::vector<int> some = sk::top_k(same, 17);
    check_equal(some, std::vector<int>(17, -3));
    REQUIRE(message_of([&] { static_cast<void>(sk::top_k(x, 10)); }) ==
            "sk::top_k: the first 10 of 9 elements; ask for at most as many as there are");
    REQUIRE(message_of([&] { static_cast<void>(sk::arg_top_k(x, 10)); }) ==
            "sk::arg_top_k: the first 10 of 9 elements; ask for at most as many as there are");
}

SKELRT_SHARED(struct offer {
    int price;
    float size;
};)

TEST_CASE("top_k in the order of a comparator, and with indices: equal elements keep their order", "[top_k]")
{
    const auto n = lengths();
    const auto a = random_numbers<int>(n, 50, 7); // most come again
    const auto x = vector_of(a);
    const auto offers = expected(n, [&](std::size_t i) { return offer{a[i], static_cast<float>(i)}; });
    const auto cheaper = SKELRT_FN((offer p, offer q) { return p.price < q.price; });
    const auto smaller = SKELRT_FN((int p, int q) { return p < q; });
    auto down = expected(n, [](std::size_t i) { return i; }), up = down;
    std::stable_sort(down.begin(), down.end(), [&](std::size_t i, std::size_t j) { return a[i] > a[j]; });
    std::stable_sort(up.begin(), up.end(), [&](std::size_t i, std::size_t j) { return a[i] < a[j]; });
    for (const std::size_t k : {std::size_t{0}, std::size_t{1}, n / 3, n}) {
        if (k > n) continue;
        CAPTURE(n, k);
        const auto largest_found = values(sk::arg_top_k(x, k)), least_found = values(sk::arg_top_k(x, k, smaller));
        const auto cheapest = values(sk::top_k(vector_of(offers), k, cheaper));
        REQUIRE(largest_found.size() == k);
        REQUIRE(least_found.size() == k);
        REQUIRE(cheapest.size() == k);
        for (std::size_t i = 0; i < k; ++i) {
            REQUIRE((largest_found[i].index == down[i] && largest_found[i].value == a[down[i]]));
            REQUIRE((least_found[i].index == up[i] && least_found[i].value == a[up[i]]));
            REQUIRE((cheapest[i].price == a[up[i]] && cheapest[i].size == static_cast<float>(up[i])));
        }
    }
}

TEST_CASE("top_k takes what is no number for the largest", "[top_k]")
{
    const float none = std::numeric_limits<float>::quiet_NaN();
    const std::size_t n = GENERATE(as<std::size_t>(), 10, 20'011);
    auto a = random_numbers<float>(n, 1000, 9);
    a[1] = a[n - 2] = none;
    const auto x = vector_of(a);
    const auto found = values(sk::top_k(x, 4));
    const auto with_indices = values(sk::arg_top_k(x, 4));
    const auto rest = expected(n - 2, [&](std::size_t i) { return i == 0 ? a[0] : a[i < n - 3 ? i + 1 : n - 1]; });
    const auto numbers = largest(rest, 2);
    REQUIRE((std::isnan(found[0]) && std::isnan(found[1]) && found[2] == numbers[0] && found[3] == numbers[1]));
    REQUIRE((std::isnan(with_indices[0].value) && with_indices[0].index == 1 && with_indices[1].index == n - 2));
    REQUIRE((with_indices[2].value == numbers[0] && with_indices[3].value == numbers[1]));
}

TEST_CASE("top_k with indices of matrices, parts and calls", "[top_k]")
{
    const std::size_t rows = 211, cols = 97;
    auto a = random_numbers<float>(rows * cols, 1000, 8);
    a[5 * cols + 7] = 5000;
    const sk::matrix<float> m(rows, cols, a.begin());
    const auto index_of_first = [](const auto& x) { return values(x)[0].index; };
    REQUIRE(index_of_first(sk::arg_top_k(m, 3)) == 5 * cols + 7);
    REQUIRE(index_of_first(sk::arg_top_k(m.column(7), 3)) == 5);
    const auto opposite = sk::map(sk::negate);
    const auto larger = SKELRT_FN((float p, float q) { return q < p; });
    const auto smaller = SKELRT_FN((float p, float q) { return p < q; });
    REQUIRE(index_of_first(sk::arg_top_k(opposite(m), 1, smaller)) == 5 * cols + 7);
    check_equal(sk::top_k(m, 50, larger), largest(a, 50));
}

TEST_CASE("top_k of any number of elements", "[top_k]")
{
    const auto n = lengths();
    const auto a = random_numbers<double>(n, 1'000'000'000, 3);
    const auto x = vector_of(a);
    for (const std::size_t k : {std::size_t{1}, std::size_t{2}, n / 100, n / 5, n - n / 7}) {
        if (k > n) continue;
        CAPTURE(n, k);
        const sk::vector<double> y = sk::top_k(x, k);
        check_equal(y, largest(a, k));
    }
}

TEST_CASE("top_k where the sample misleads", "[top_k]")
{
    const std::size_t n = 50'021, step = sk::detail::sample_step(n);
    const std::size_t k = GENERATE(as<std::size_t>(), 1, 100, 1000, 20'000);
    const bool only_largest = GENERATE(false, true); // or none of the largest
    CAPTURE(k, only_largest);
    auto a = random_numbers<int>(n, 1'000'000, 4);
    for (std::size_t i = 0; i < n; ++i)
        if ((i % step == 0) == only_largest) a[i] += 1'000'000;
    const sk::vector<int> y = sk::top_k(vector_of(a), k);
    check_equal(y, largest(a, k));
}

TEST_CASE("top_k of sorted elements, of few values, and of one that stands out", "[top_k]")
{
    const std::size_t n = 30'011, k = GENERATE(as<std::size_t>(), 1, 7, 5000);
    CAPTURE(k);
    auto a = random_numbers<float>(n, 1'000'000, 5);
    std::sort(a.begin(), a.end());
    check_equal(sk::vector<float>(sk::top_k(vector_of(a), k)), largest(a, k));
    std::reverse(a.begin(), a.end());
    check_equal(sk::vector<float>(sk::top_k(vector_of(a), k)), largest(a, k));
    auto few = random_numbers<int>(n, 3, 6);
    few[n / 2] = 100;
    check_equal(sk::vector<int>(sk::top_k(vector_of(few), k)), largest(few, k));
}

TEST_CASE("top_k of ranges, columns, matrices and their parts", "[top_k]")
{
    const std::size_t rows = 211, cols = 97, k = 50;
    const auto a = random_numbers<float>(rows * cols, 1'000'000, 8);
    const sk::matrix<float> m(rows, cols, a.begin());
    const auto part = [&](std::size_t row, std::size_t col, std::size_t height, std::size_t width) {
        return expected(height * width, [&](std::size_t i) { return a[(row + i / width) * cols + col + i % width]; });
    };
    check_equal(sk::vector<float>(sk::top_k(m, k)), largest(a, k));
    check_equal(sk::vector<float>(sk::top_k(m.column(3), k)), largest(part(0, 3, rows, 1), k));
    check_equal(sk::vector<float>(sk::top_k(m.sub(5, 7, 200, 60), k)), largest(part(5, 7, 200, 60), k));
    const auto x = vector_of(a);
    check_equal(sk::vector<float>(sk::top_k(x.range(cols, 100 * cols), k)), largest(part(1, 0, 100, cols), k));
    const auto halved = sk::map(SKELRT_FN((float v, float w) { return v / 2 + w; }));
    auto half = a;
    for (float& v : half) v = v / 2 + 1;
    check_equal(sk::vector<float>(sk::top_k(halved(x, 1.0f), k)), largest(half, k));
    check_equal(sk::vector<float>(sk::top_k(halved(m, 1.0f), k)), largest(half, k));
}
