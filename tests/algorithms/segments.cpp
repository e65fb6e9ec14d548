// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include "../message_of.hpp"

using namespace test;

namespace
{

template <class T, class F>
std::vector<T> reduced(const std::vector<T>& x, const std::vector<unsigned>& at, const F& op, const T& start)
{
    std::vector<T> y;
    for (std::size_t s = 0; s + 1 < at.size(); ++s) {
        T r = start;
        for (std::size_t i = at[s]; i < at[s + 1]; ++i) r = op(r, x[i]);
        y.push_back(r);
    }
    return y;
}

template <class T, class F>
std::vector<T> scanned(const std::vector<T>& x, const std::vector<unsigned>& at, const F& op, const T* start = nullptr)
{
    std::vector<T> y;
    for (std::size_t s = 0; s + 1 < at.size(); ++s)
        for (std::size_t i = at[s]; i < at[s + 1]; ++i) {
            const bool first = i == at[s];
            if (start) y.push_back(first ? *start : op(y.back(), x[i - 1]));
            else y.push_back(first ? x[i] : op(y.back(), x[i]));
        }
    return y;
}

const auto add = [](auto a, auto b) { return a + b; };

} // namespace

TEST_CASE("reductions of segments, some of them empty", "[segments]")
{
    const auto n = lengths();
    const unsigned longest = GENERATE(1u, 4u, 1000u, 1'000'000u);
    CAPTURE(n, longest);
    const auto at = random_offsets(n, longest);
    const auto x = numbers<int>(n);
    const sk::vector<int> sums = sk::reduce_segments(vector_of(x), vector_of(at), sk::plus, 3);
    check_equal(sums, reduced(x, at, add, 3));
    const auto f = affine_maps(n);
    const affine start{3, 5};
    const sk::vector<affine> composed = sk::reduce_segments(vector_of(f), vector_of(at), compose, start);
    check_equal(composed, reduced(f, at, compose, start));
}

TEST_CASE("scans of segments", "[segments]")
{
    const auto n = lengths();
    const auto at = random_offsets(n, 50);
    const auto x = numbers<int>(n);
    const sk::vector<int> sums = sk::scan_segments(vector_of(x), vector_of(at), sk::plus);
    check_equal(sums, scanned(x, at, add));
    const int start = 4;
    const sk::vector<int> before = sk::exclusive_scan_segments(vector_of(x), vector_of(at), sk::plus, start);
    check_equal(before, scanned(x, at, add, &start));
}

TEST_CASE("segments: types of offsets, a wider start value, one segment, none", "[segments]")
{
    const std::size_t n = 3001;
    const auto x = numbers<float>(n);
    const auto at = random_offsets(n, 30);
    const std::vector<long> wide(at.begin(), at.end());
    const sk::vector<double> sums = sk::reduce_segments(vector_of(x), vector_of(wide), sk::plus, 0.0);
    check_equal(sums, reduced(std::vector<double>(x.begin(), x.end()), at, add, 0.0));
    const sk::vector<float> one = sk::reduce_segments(vector_of(x), sk::vector<int>{0, int(n)}, sk::plus, 0.0f);
    check_equal(one, reduced(x, {0, unsigned(n)}, add, 0.0f));
    const sk::vector<float> none = sk::reduce_segments(sk::vector<float>(), sk::vector<int>{0}, sk::plus, 0.0f);
    REQUIRE(none.empty());
    const sk::vector<float> empty = sk::reduce_segments(sk::vector<float>(), sk::vector<int>{0, 0, 0}, sk::plus, 2.0f);
    check_equal(empty, std::vector<float>{2, 2});
}

TEST_CASE("segments need offsets", "[segments][errors]")
{
    const sk::vector<int> x(5, 1), none;
    REQUIRE(message_of([&] { static_cast<void>(sk::reduce_segments(x, none, sk::plus, 0)); }) ==
            "sk::reduce_segments: there are no offsets; n segments have n + 1, the first 0 and the last the number of "
            "values");
}
