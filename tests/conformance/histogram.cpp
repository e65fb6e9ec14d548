// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <cmath>
#include <limits>

using namespace test;

namespace
{

/// The definition, element by element.
template <class F, class T>
std::vector<unsigned> counted(const std::vector<T>& x, std::size_t bins, F low, F high)
{
    std::vector<unsigned> counts(bins, 0);
    const F scale = static_cast<F>(static_cast<double>(bins) / static_cast<double>(high - low));
    for (const T& v : x)
        if (static_cast<F>(v) >= low && static_cast<F>(v) < high)
            ++counts[std::min(static_cast<std::size_t>((static_cast<F>(v) - low) * scale), bins - 1)];
    return counts;
}

template <class T>
std::vector<unsigned> counted_integers(const std::vector<T>& x, std::size_t bins, long low, long high)
{
    std::vector<unsigned> counts(bins, 0);
    for (const T& v : x) {
        const auto at = static_cast<long double>(v) - static_cast<long double>(low);
        if (at < 0 || static_cast<long double>(v) >= static_cast<long double>(high)) continue;
        __extension__ using wide = unsigned __int128;
        const wide d = static_cast<std::uint64_t>(v) - static_cast<std::uint64_t>(low);
        ++counts[static_cast<std::size_t>(d * bins /
                                          (static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low)))];
    }
    return counts;
}

template <class T>
std::vector<T> scattered(std::size_t n)
{
    const auto digits = numbers<int>(4 * n);
    return expected(n, [&](std::size_t i) {
        const int* d = &digits[4 * i];
        return static_cast<T>(d[0] * 1000 + d[1] * 100 + d[2] * 10 + d[3] - 2000);
    });
}

} // namespace

TEST_CASE("histogram: every size, and numbers of bins", "[histogram]")
{
    const auto n = sizes();
    const auto a = scattered<float>(n);
    const auto x = vector_of(a);
    for (const std::size_t bins : {1, 2, 7, 256, 5000, 20'000}) {
        CAPTURE(n, bins);
        check_equal(sk::histogram(x, bins, -1500.0f, 6000.0f), counted(a, bins, -1500.0f, 6000.0f));
    }
    check_equal(sk::histogram(x, 33, 1e9f, 2e9f), std::vector<unsigned>(33, 0));
}

TEST_CASE("histogram: types of elements and of counts", "[histogram]")
{
    const std::size_t n = 12'345;
    const auto floats = scattered<float>(n);
    const auto doubles = expected(n, [&](std::size_t i) { return floats[i] / 3.0; });
    check_equal(sk::histogram(vector_of(doubles), 100, -600.5, 2000.25), counted(doubles, 100, -600.5, 2000.25));
    const auto ints = scattered<int>(n);
    check_equal(sk::histogram(vector_of(ints), 97, -1500, 6000), counted_integers(ints, 97, -1500, 6000));
    check_equal(sk::histogram(vector_of(ints), 10'000, 0, 300), counted_integers(ints, 10'000, 0, 300));
    check_equal(sk::histogram(vector_of(ints), 50, -0.5, 99.5), counted(ints, 50, -0.5, 99.5));
    const auto bytes = expected(n, [&](std::size_t i) { return static_cast<unsigned char>(ints[i]); });
    check_equal(sk::histogram(vector_of(bytes), 256, 0, 256), counted_integers(bytes, 256, 0, 256));
    const auto shorts = scattered<short>(n);
    check_equal(sk::histogram(vector_of(shorts), 31, -5000, 9000), counted_integers(shorts, 31, -5000, 9000));
    const auto longs = expected(n, [&](std::size_t i) { return ints[i] * 3'000'000'000'000L; });
    const long bound = 12'000'000'000'000'000;
    check_equal(sk::histogram(vector_of(longs), 300, -bound, bound), counted_integers(longs, 300, -bound, bound));
    const auto wide = sk::histogram<unsigned long>(vector_of(ints), 97, -1500, 6000);
    const auto want = counted_integers(ints, 97, -1500, 6000);
    check_equal(wide, std::vector<unsigned long>(want.begin(), want.end()));
    const std::vector<unsigned long> large(1000, ~0ul - 5);
    check_equal(sk::histogram(vector_of(large), 3, ~0ul - 10, ~0ul), std::vector<unsigned>{0, 1000, 0});
}

TEST_CASE("histogram: bounds, numbers beyond them, and NaN", "[histogram]")
{
    const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<float> a{0.0f, -0.0f, 1.0f, 0.25f, std::nextafter(1.0f, 0.0f), -1e-30f, inf, -inf, nan, 3e38f};
    check_equal(sk::histogram(vector_of(a), 4, 0.0f, 1.0f), std::vector<unsigned>{2, 1, 0, 1});
    // (x - low) * scale is rounded up to the number of bins: still the last bin.
    const std::vector<float> last{std::nextafter(0.3f, 0.0f)};
    check_equal(sk::histogram(vector_of(last), 3, 0.0f, 0.3f), std::vector<unsigned>{0, 0, 1});
    const std::vector<int> ends{-3, -2, -1, 0, 1, 2, 3};
    check_equal(sk::histogram(vector_of(ends), 5, -2, 3), std::vector<unsigned>{1, 1, 1, 1, 1});
    const int least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();
    const std::vector<int> all{least, -1, 0, most};
    check_equal(sk::histogram(vector_of(all), 2, least, 1L + most), std::vector<unsigned>{2, 2});
    check_equal(sk::histogram(vector_of(all), 2, least, most), std::vector<unsigned>{2, 1});
}

TEST_CASE("histogram: map calls, matrices, views, chains", "[histogram]")
{
    const std::size_t rows = 211, cols = 97;
    const auto a = scattered<int>(rows * cols);
    const auto m = matrix_of(rows, cols, a);
    check_equal(sk::histogram(m, 40, -2000, 8000), counted_integers(a, 40, -2000, 8000));
    const auto column = expected(rows, [&](std::size_t r) { return a[r * cols + 5]; });
    check_equal(sk::histogram(m.column(5), 40, -2000, 8000), counted_integers(column, 40, -2000, 8000));
    const auto x = vector_of(a);
    const std::vector<int> part(a.begin() + 100, a.begin() + 5100);
    check_equal(sk::histogram(x.range(100, 5000), 40, -2000, 8000), counted_integers(part, 40, -2000, 8000));

    const auto halves = sk::map(SKELRT_FN((int v, int by) { return v / by; }));
    const auto halved = expected(a.size(), [&](std::size_t i) { return a[i] / 2; });
    check_equal(sk::histogram(halves(x, 2), 40, -2000, 8000), counted_integers(halved, 40, -2000, 8000));
    const auto place = sk::map(SKELRT_FN((sk::index1 i) { return (int)(i.i % 10); }));
    check_equal(sk::histogram(place(sk::shape(1000)), 10, 0, 10), std::vector<unsigned>(10, 100));

    // In a chain: x changes behind the histogram's back, and the counts are an operand at once.
    auto y = x;
    const auto before = sk::histogram(y, 40, -2000, 8000);
    y = halves(y, 2);
    const auto add = sk::map(SKELRT_FN((unsigned p, unsigned q) { return p + q; }));
    const sk::vector<unsigned> both = add(before, sk::histogram(y, 40, -2000, 8000));
    const auto first = counted_integers(a, 40, -2000, 8000), second = counted_integers(halved, 40, -2000, 8000);
    check_equal(both, expected(40, [&](std::size_t i) { return first[i] + second[i]; }));
}

TEST_CASE("histogram: an exception of a fused function reaches the waiter", "[histogram][errors]")
{
    if (!test::devices().has(sk::device::cpu)) return; // device code throws nothing
    const sk::only cpu(sk::device::cpu);
    const auto picky = sk::map(sk::function(
        [](int v) {
            if (v == 77) throw std::runtime_error("77");
            return v;
        },
        "(int v) { return v; }", __FILE__, __LINE__));
    std::vector<int> a(20'000, 1);
    a[15'000] = 77;
    REQUIRE_THROWS_AS(values(sk::histogram(picky(vector_of(a)), 10, 0, 100)), std::runtime_error);
}
