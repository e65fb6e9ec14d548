// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include "../message_of.hpp"

#include <algorithm>
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
            "sk::top_k: the 10 largest of 9 elements; ask for at most as many as there are");
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
