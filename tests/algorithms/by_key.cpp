// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include "../message_of.hpp"

#include <limits>

using namespace test;

namespace
{

template <class T>
struct run {
    int key;
    std::vector<T> values;
};

template <class T>
std::vector<run<T>> runs_of(const std::vector<int>& keys, const std::vector<T>& values)
{
    std::vector<run<T>> all;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (i == 0 || keys[i] != keys[i - 1]) all.push_back({keys[i], {}});
        all.back().values.push_back(values[i]);
    }
    return all;
}

template <class T, class Op, class F>
void check_reduced(const std::vector<int>& keys, const std::vector<T>& values, const Op& op, const F& plain)
{
    const auto all = runs_of(keys, values);
    const auto got = sk::reduce_by_key(vector_of(keys), vector_of(values), op);
    check_equal(got.keys, expected(all.size(), [&](std::size_t i) { return all[i].key; }));
    check_equal(got.values, expected(all.size(), [&](std::size_t i) { return folded(plain, all[i].values); }));
}

template <class T, class F>
std::vector<T> scanned_by_key(const std::vector<int>& keys, const std::vector<T>& values, const F& op)
{
    std::vector<T> y;
    for (std::size_t i = 0; i < keys.size(); ++i)
        y.push_back(i == 0 || keys[i] != keys[i - 1] ? values[i] : op(y.back(), values[i]));
    return y;
}

template <class T, class F>
std::vector<T> scanned_before(const std::vector<int>& keys, const std::vector<T>& values, const F& op, const T& start)
{
    std::vector<T> y;
    for (std::size_t i = 0; i < keys.size(); ++i)
        y.push_back(i == 0 || keys[i] != keys[i - 1] ? start : op(y.back(), values[i - 1]));
    return y;
}

const auto add = [](auto a, auto b) { return a + b; };

using real = double;
SKELRT_SHARED(inline int clipped(int v) { return v > 1000 ? 1000 : v; })
const auto clipped_sum = SKELRT_FN((int a, int b) {
    for (int i = 0; i < 1; ++i)
        if (a + b > 1000) return clipped(a + b);
    return a + b;
});

} // namespace

TEST_CASE("reduce_by_key: every size, short and long runs", "[by_key]")
{
    const auto n = lengths();
    const unsigned longest = GENERATE(1u, 3u, 100u, 1'000'000u);
    CAPTURE(n, longest);
    const auto keys = runs(n, longest);
    check_reduced(keys, numbers<int>(n), sk::plus, add);
    check_reduced(keys, affine_maps(n), compose, compose);
}

TEST_CASE("reduce_by_key: types, operators of the user's and of ours", "[by_key]")
{
    const std::size_t n = 20'011;
    const auto keys = runs(n, 40);
    check_reduced(keys, numbers<float>(n), sk::plus, add);
    check_reduced(keys, numbers<double>(n), sk::maximum, [](double a, double b) { return a < b ? b : a; });
    check_reduced(keys, numbers<long>(n), sk::minimum, [](long a, long b) { return b < a ? b : a; });
    check_reduced(keys, matrices(n), matrix_product, matrix_product);
    check_reduced(keys, numbers<int>(n), keep_first, keep_first);
    check_reduced(keys, numbers<int>(n), keep_last, keep_last);
    check_reduced(keys, numbers<int>(n), clipped_sum, clipped_sum);
    check_reduced(keys, numbers<double>(n), SKELRT_FN((real a, real b) { return a + b; }), add);
}

TEST_CASE("reduce_by_key: keys of other types, views and calls as operands", "[by_key]")
{
    const std::size_t n = 5003;
    const auto keys = runs(n, 7);
    const auto x = numbers<int>(n);
    const auto all = runs_of(keys, x);
    const auto sums = expected(all.size(), [&](std::size_t i) { return folded(add, all[i].values); });
    const std::vector<float> wide(keys.begin(), keys.end());
    const auto of_floats = sk::reduce_by_key(vector_of(wide), vector_of(x), sk::plus);
    check_equal(of_floats.values, sums);
    const auto bring = sk::map(SKELRT_FN((int v) { return v; }));
    const auto of_calls = sk::reduce_by_key(bring(vector_of(keys)), bring(vector_of(x)), sk::plus);
    check_equal(of_calls.values, sums);
    const std::vector<int> some_keys(keys.begin() + 100, keys.begin() + 3100), some(x.begin() + 100, x.begin() + 3100);
    const auto part = runs_of(some_keys, some);
    const auto k = vector_of(keys);
    const auto of_parts = sk::reduce_by_key(k.range(100, 3000), vector_of(x).range(100, 3000), sk::plus);
    check_equal(of_parts.values, expected(part.size(), [&](std::size_t i) { return folded(add, part[i].values); }));
}

TEST_CASE("sums of sorted keys, by sort_by_key and reduce_by_key", "[by_key]")
{
    const std::size_t n = 30'011;
    const auto keys = random_numbers<unsigned>(n, 100);
    const auto x = random_numbers<unsigned>(n, 1000, 2);
    std::vector<unsigned> sums(100, 0);
    for (std::size_t i = 0; i < n; ++i) sums[keys[i]] += x[i];
    auto k = vector_of(keys), v = vector_of(x);
    sk::sort_by_key(k, v);
    const auto [names, totals] = sk::reduce_by_key(k, v, sk::plus);
    check_equal(names, expected(100, [](std::size_t i) { return static_cast<unsigned>(i); }));
    check_equal(totals, sums);
}

TEST_CASE("scan_by_key and exclusive_scan_by_key", "[by_key]")
{
    const auto n = lengths();
    const unsigned longest = GENERATE(1u, 3u, 100u, 1'000'000u);
    CAPTURE(n, longest);
    const auto keys = runs(n, longest, 3);
    const auto k = vector_of(keys);
    const auto x = numbers<int>(n);
    const sk::vector<int> sums = sk::scan_by_key(k, vector_of(x), sk::plus);
    check_equal(sums, scanned_by_key(keys, x, add));
    const sk::vector<int> before = sk::exclusive_scan_by_key(k, vector_of(x), sk::plus, 10);
    check_equal(before, scanned_before(keys, x, add, 10));
    const auto f = affine_maps(n);
    const sk::vector<affine> composed = sk::scan_by_key(k, vector_of(f), compose);
    check_equal(composed, scanned_by_key(keys, f, compose));
    const affine start{3, 5};
    const sk::vector<affine> composed_before = sk::exclusive_scan_by_key(k, vector_of(f), compose, start);
    check_equal(composed_before, scanned_before(keys, f, compose, start));
}

TEST_CASE("scans by key of values of every size", "[by_key]")
{
    const std::size_t n = 30'011;
    const auto keys = runs(n, 50);
    const auto check = [&]<class T>(T) {
        const auto x = numbers<T>(n);
        const auto larger = [](T a, T b) { return a < b ? b : a; };
        const sk::vector<T> y = sk::scan_by_key(vector_of(keys), vector_of(x), sk::maximum);
        check_equal(y, scanned_by_key(keys, x, larger));
        const sk::vector<T> z = sk::exclusive_scan_by_key(vector_of(keys), vector_of(x), sk::maximum, T(7));
        check_equal(z, scanned_before(keys, x, larger, T(7)));
    };
    check(float{});
    check(double{});
    check(long{});
    check(short{});
    using byte = unsigned char;
    check(byte{});
}

TEST_CASE("scans by key of columns, into parts, of runs that end and begin anywhere", "[by_key]")
{
    const std::size_t n = 100'003;
    const unsigned longest = GENERATE(2u, 30'000u);
    const auto all = numbers<int>(2 * n);
    const sk::matrix<int> m = sk::reshape(vector_of(all), n, 2);
    const auto keys = runs(n, longest, 8);
    const auto x = expected(n, [&](std::size_t i) { return all[2 * i + 1]; });
    sk::vector<int> y(n + 10, -1);
    y.range(5, n) = sk::scan_by_key(vector_of(keys), m.column(1), sk::plus);
    auto want = scanned_by_key(keys, x, add);
    want.insert(want.begin(), 5, -1);
    want.insert(want.end(), 5, -1);
    check_equal(y, want);
}

TEST_CASE("keys that differ from themselves are runs of their own", "[by_key]")
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto [keys, sums] =
        sk::reduce_by_key(sk::vector<float>{nan, nan, 1, 1, nan}, sk::vector<int>{1, 2, 3, 4, 5}, sk::plus);
    REQUIRE(keys.size() == 4);
    check_equal(sums, std::vector<int>{1, 2, 7, 5});
}

TEST_CASE("a scan by key fuses with what uses it", "[by_key]")
{
    const std::size_t n = 10'007;
    const auto keys = runs(n, 9);
    const auto x = numbers<int>(n);
    auto y = vector_of(x);
    const auto twice = sk::map(SKELRT_FN((int v) { return 2 * v; }));
    y = twice(sk::scan_by_key(vector_of(keys), twice(y), sk::plus));
    auto want = x;
    for (int& v : want) v *= 2;
    want = scanned_by_key(keys, want, add);
    for (int& v : want) v *= 2;
    check_equal(y, want);
}

TEST_CASE("operands by key have one size", "[by_key][errors]")
{
    const sk::vector<int> keys(10, 1), values(7, 1);
    REQUIRE(message_of([&] { sk::reduce_by_key(keys, values, sk::plus); }) ==
            "sk::reduce_by_key: 10 keys, but 7 values; pass vectors of one size, or a range of the larger one");
    REQUIRE(message_of([&] { static_cast<void>(sk::scan_by_key(keys, values, sk::plus)); }) ==
            "sk::scan_by_key: 10 keys, but 7 values; pass vectors of one size, or a range of the larger one");
    REQUIRE(message_of([&] { static_cast<void>(sk::exclusive_scan_by_key(keys, values, sk::plus, 0)); }) ==
            "sk::exclusive_scan_by_key: 10 keys, but 7 values; pass vectors of one size, or a range of the larger "
            "one");
}
