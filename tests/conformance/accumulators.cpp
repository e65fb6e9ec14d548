// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <algorithm>
#include <set>

using namespace test;

SKELRT_SHARED(
    struct claim {
        int who;
        float score;
    };
    struct half_claim { short a, b; };)

namespace
{

const auto add = sk::map(SKELRT_FN((int a, int b) { return a + b; }));
const auto count = sk::for_each(SKELRT_FN((int v, sk::accumulator<int> out) { out.add((size_t)v, 1); }));

} // namespace

TEST_CASE("accumulators: every size and type", "[accumulate]")
{
    const auto n = sizes();
    // The text of a template's function names a type that only the host knows: a function for each.
    const auto a = numbers<int>(n);
    const auto x = vector_of(a);
    const std::size_t bins = GENERATE(1, 97); // in registers, and in a block's shared memory
    const auto slot = [&](std::size_t i) { return (static_cast<std::size_t>(a[i]) * 31 + i) % bins; };
    std::vector<long> sums(bins, 3);
    for (std::size_t i = 0; i < n; ++i) sums[slot(i)] += a[i];
    const auto want = [&]<class T>(T) {
        return expected(bins, [&](std::size_t i) { return static_cast<T>(sums[i]); });
    };
    sk::vector<int> hi(bins, 3);
    sk::for_each(SKELRT_FN(
        (sk::index1 i, int v, sk::accumulator<int> out) { out.add(((size_t)v * 31 + i.i) % out.size(), v); }))(x, hi);
    check_equal(hi, want(int{}));
    sk::vector<unsigned> hu(bins, 3);
    sk::for_each(SKELRT_FN((sk::index1 i, int v, sk::accumulator<unsigned> out) {
        out.add(((size_t)v * 31 + i.i) % out.size(), (unsigned)v);
    }))(x, hu);
    check_equal(hu, want(unsigned{}));
    sk::vector<long> hl(bins, 3);
    sk::for_each(SKELRT_FN((sk::index1 i, int v, sk::accumulator<long> out) {
        out.add(((size_t)v * 31 + i.i) % out.size(), (long)v);
    }))(x, hl);
    check_equal(hl, want(long{}));
    sk::vector<float> hf(bins, 3);
    sk::for_each(SKELRT_FN((sk::index1 i, int v, sk::accumulator<float> out) {
        out.add(((size_t)v * 31 + i.i) % out.size(), (float)v);
    }))(x, hf);
    check_equal(hf, want(float{}));
    sk::vector<double> hd(bins, 3);
    sk::for_each(SKELRT_FN((sk::index1 i, int v, sk::accumulator<double> out) {
        out.add(((size_t)v * 31 + i.i) % out.size(), (double)v);
    }))(x, hd);
    check_equal(hd, want(double{}));
}

TEST_CASE("accumulators larger than the call", "[accumulate]")
{
    const auto a = numbers<int>(70);
    sk::vector<int> h(100'003, 1);
    sk::for_each(SKELRT_FN((sk::index1 i, int v, sk::accumulator<int> out) {
        out.add(i.i * 1000, v);
        out.add(out.size() - 1 - i.i, 1);
    }))(vector_of(a), h);
    auto want = std::vector<int>(100'003, 1);
    for (std::size_t i = 0; i < 70; ++i) want[i * 1000] += a[i], want[want.size() - 1 - i] += 1;
    check_equal(h, want);
}

TEST_CASE("accumulators of no elements", "[accumulate]")
{
    const auto x = vector_of(numbers<int>(5003));
    sk::vector<int> none(0, 0);
    sk::for_each(SKELRT_FN((int v, sk::accumulator<int> out) {
        if (v > 100) out.add(0, v);
    }))(x, none);
    sk::for_each(SKELRT_FN((int v, sk::min_accumulator<int> out) {
        if (v > 100) out.min(0, v);
    }))(x, none);
    REQUIRE(values(none).empty());
}

TEST_CASE("accumulators: shapes, matrices, fused operands, parts", "[accumulate]")
{
    const std::size_t rows = 123, cols = 57;
    const auto a = numbers<int>(rows * cols), b = numbers<int>(rows * cols, 2);
    const auto x = matrix_of(rows, cols, a), y = matrix_of(rows, cols, b);
    std::vector<int> want(64, 0);
    for (std::size_t i = 0; i < a.size(); ++i) want[static_cast<std::size_t>(a[i] + b[i])] += 1;
    sk::vector<int> h(64, 0);
    count(add(x, y), h);
    check_equal(h, want);
    sk::vector<int> part(100, 5);
    count(add(x, y), part.range(30, 40));
    check_equal(part, expected(100, [&](std::size_t i) { return 5 + (i >= 30 && i < 70 ? want[i - 30] : 0); }));
    // Strided operands, and an accumulator that is a matrix.
    sk::matrix<int> m(5, 4, 1);
    count(x.column(3), m);
    auto by_column = std::vector<int>(20, 1);
    for (std::size_t r = 0; r < rows; ++r) ++by_column[static_cast<std::size_t>(a[r * cols + 3])];
    check_equal(m, by_column);
    // Transposition by positions alone.
    sk::vector<int> turned(6 * 9, 0);
    sk::for_each(SKELRT_FN((sk::index2 i, int f, sk::accumulator<int> out) {
        out.add(i.col * 6 + i.row, f * (int)(i.row * 9 + i.col));
    }))(sk::shape(6, 9), 2, turned);
    check_equal(turned, expected(54, [](std::size_t i) { return static_cast<int>(2 * (i % 6 * 9 + i / 6)); }));
}

namespace
{

const auto moments = sk::for_each(SKELRT_FN((int v, float w, sk::accumulator<int> counts, sk::accumulator<double> sums,
                                             sk::max_accumulator<float> highest, sk::min_accumulator<long> lowest) {
    const size_t i = (size_t)v;
    counts.add(i, 1);
    sums.add(i * 3 % sums.size(), (double)v * w);
    highest.max(0, w);
    lowest.min(i % lowest.size(), (long)w);
}));

/// What moments() does, element by element.
struct moments_of {
    std::vector<int> counts;
    std::vector<double> sums;
    std::vector<float> highest{-2};
    std::vector<long> lowest{70, 80, 90};

    moments_of(const std::vector<int>& a, const std::vector<float>& w, std::size_t bins) : counts(bins, 5), sums(17, 1)
    {
        for (std::size_t k = 0; k < a.size(); ++k) {
            const auto i = static_cast<std::size_t>(a[k]);
            ++counts[i];
            sums[i * 3 % 17] += static_cast<double>(a[k]) * static_cast<double>(w[k]);
            highest[0] = std::max(highest[0], w[k]);
            lowest[i % 3] = std::min(lowest[i % 3], static_cast<long>(w[k]));
        }
    }
};

} // namespace

TEST_CASE("several accumulators of a call", "[accumulate]")
{
    const auto n = sizes();
    const auto a = numbers<int>(n);
    const auto w = expected(n, [](std::size_t i) { return static_cast<float>((i * 7919) % 61) - 4; });
    const auto x = vector_of(a);
    const auto y = vector_of(w);
    for (const std::size_t bins : {std::size_t{11}, std::size_t{30'001}}) { // in a block's memory, and too large for it
        sk::vector<int> counts(bins, 5);
        sk::matrix<double> sums(1, 17, 1);
        sk::vector<float> highest(1, -2);
        sk::vector<long> lowest{70, 80, 90};
        moments(x, y, counts, sums, highest, lowest);
        const moments_of want(a, w, bins);
        check_equal(counts, want.counts);
        check_equal(sums, want.sums);
        check_equal(highest, want.highest);
        check_equal(lowest, want.lowest);
    }
}

TEST_CASE("several accumulators in a chain, and parts of containers", "[accumulate][asynchronous]")
{
    const auto both = sk::for_each(SKELRT_FN((int v, sk::accumulator<int> p, sk::or_accumulator<unsigned> q) {
        p.add((size_t)v, v);
        q.bit_or((size_t)v % 4, 1u << v);
    }));
    const std::size_t n = 30'011;
    const auto a = numbers<int>(n);
    const auto x = vector_of(a);
    sk::vector<int> sums(40, 1);
    sk::vector<unsigned> seen(4, 0x1000u);
    for (int k = 0; k < 3; ++k) both(add(x, 0), sums.range(20, 10), seen);
    const sk::vector<int> twice = add(sums, sums);
    std::vector<int> want(40, 1);
    std::vector<unsigned> bits(4, 0x1000u);
    for (const int v : a)
        want[20 + static_cast<std::size_t>(v)] += 3 * v, bits[static_cast<std::size_t>(v) % 4] |= 1u << v;
    check_equal(sums, want);
    check_equal(seen, bits);
    for (int& v : want) v *= 2;
    check_equal(twice, want);
    const auto twofold = sk::for_each(SKELRT_FN((int v, sk::accumulator<int> p, sk::min_accumulator<int> q) {
        p.add((size_t)v, v);
        q.min((size_t)v, v);
    }));
    REQUIRE_THROWS_WITH(twofold(x, sums.range(0, 10), sums.range(20, 10)),
                        Catch::Contains("operand 3 is the container that the call adds to"));
}

TEST_CASE("accumulators in a chain of calls", "[accumulate][asynchronous]")
{
    const std::size_t n = 20'000;
    const auto a = numbers<int>(n);
    auto x = vector_of(a);
    sk::vector<int> h(10, 0);
    for (int k = 0; k < 5; ++k) count(x, h);
    x = add(x, x); // does not overtake the calls that read x
    const sk::vector<int> twice = add(h, h);
    std::vector<int> want(10, 0);
    for (const int v : a) want[static_cast<std::size_t>(v)] += 5;
    check_equal(h, want);
    check_equal(twice, expected(10, [&](std::size_t i) { return 2 * want[i]; }));
    h = add(h, h);
    count(vector_of(a), h);
    check_equal(h, expected(10, [&](std::size_t i) { return 2 * want[i] + want[i] / 5; }));
}

TEST_CASE("gather and scatter", "[accumulate][gather]")
{
    const auto n = sizes();
    const auto index = expected(n, [&](std::size_t i) { return static_cast<unsigned>(i * 7919 % n); });
    const auto a = numbers<float>(n);
    const auto x = vector_of(a);
    const auto at = vector_of(index);
    const sk::vector<float> y = sk::gather(x, at);
    check_equal(y, expected(n, [&](std::size_t i) { return a[index[i]]; }));
    sk::vector<float> into(n + 1, 0.5f);
    sk::scatter_add(x, at, into);
    std::vector<float> want(n + 1, 0.5f);
    for (std::size_t i = 0; i < n; ++i) want[index[i]] += a[i];
    check_equal(into, want);
}

TEST_CASE("accumulators of the least, the greatest and of bits", "[accumulate]")
{
    const auto n = sizes();
    const auto a = numbers<int>(n);
    const auto x = vector_of(a);
    const std::size_t slots = GENERATE(1, 13, 20'011); // in registers, in a block's shared memory, and not
    const auto slot = [&](std::size_t i) { return (static_cast<std::size_t>(a[i]) * 31 + i) % slots; };
    const auto want = [&]<class T>(T before, auto joined) {
        std::vector<T> all(slots, before);
        for (std::size_t i = 0; i < n; ++i) all[slot(i)] = joined(all[slot(i)], static_cast<int>(i % 1009) - 500);
        return all;
    };
    sk::vector<int> least(slots, 5);
    sk::for_each(SKELRT_FN((sk::index1 i, int v, sk::min_accumulator<int> out) {
        out.min(((size_t)v * 31 + i.i) % out.size(), (int)(i.i % 1009) - 500);
    }))(x, least);
    check_equal(least, want(5, [](int p, int q) { return std::min(p, q); }));
    sk::vector<double> greatest(slots, -5);
    sk::for_each(SKELRT_FN((sk::index1 i, int v, sk::max_accumulator<double> out) {
        out.max(((size_t)v * 31 + i.i) % out.size(), (double)((int)(i.i % 1009) - 500));
    }))(x, greatest);
    check_equal(greatest, want(-5.0, [](double p, double q) { return std::max(p, q); }));
    sk::vector<float> lowest(slots, 1e9f);
    sk::for_each(SKELRT_FN((sk::index1 i, int v, sk::min_accumulator<float> out) {
        out.min(((size_t)v * 31 + i.i) % out.size(), (float)((int)(i.i % 1009) - 500));
    }))(x, lowest);
    check_equal(lowest, want(1e9f, [](float p, float q) { return std::min(p, q); }));
    sk::vector<unsigned> any(slots, 1);
    sk::for_each(SKELRT_FN((sk::index1 i, int v, sk::or_accumulator<unsigned> out) {
        out.bit_or(((size_t)v * 31 + i.i) % out.size(), (unsigned)((int)(i.i % 1009) - 500));
    }))(x, any);
    check_equal(any, want(1u, [](unsigned p, int q) { return p | static_cast<unsigned>(q); }));
    sk::vector<long> all(slots, -3);
    sk::for_each(SKELRT_FN((sk::index1 i, int v, sk::and_accumulator<long> out) {
        out.bit_and(((size_t)v * 31 + i.i) % out.size(), (long)((int)(i.i % 1009) - 500));
    }))(x, all);
    check_equal(all, want(-3l, [](long p, int q) { return p & q; }));
}

TEST_CASE("one copy that all change and see", "[accumulate][atomic]")
{
    const auto n = sizes();
    const auto a = numbers<int>(n);
    const auto x = vector_of(a);
    // Each position takes a ticket, so that a permutation comes out.
    sk::vector<unsigned> drawn(n + 1, 7);
    sk::for_each(SKELRT_FN((sk::index1 i, int v, sk::atomic_vec<unsigned> t) {
        const unsigned mine = t.add(t.size() - 1, v >= 0 ? 1 : 0) - 7;
        t.exchange(mine, (unsigned)i.i);
    }))(x, drawn);
    auto got = values(drawn);
    REQUIRE(got.back() == n + 7);
    got.pop_back();
    std::sort(got.begin(), got.end());
    REQUIRE(got == expected(n, [](std::size_t i) { return static_cast<unsigned>(i); }));
    // A set of numbers with open addresses; 0 is free.
    sk::vector<long> table(509, 0);
    sk::for_each(SKELRT_FN((int v, sk::atomic_vec<long> t) {
        const long key = v % 251 + 1;
        size_t at = (size_t)key * 37 % t.size();
        for (size_t tries = 0; tries < t.size(); ++tries) {
            const long before = t.compare_exchange(at, 0, key);
            if (before == 0 || before == key) break;
            at = (at + 1) % t.size();
        }
    }))(x, table);
    std::set<long> want;
    for (const int v : a) want.insert(v % 251 + 1);
    const auto held = values(table);
    REQUIRE(std::set<long>(held.begin(), held.end()).size() == want.size() + 1);
    for (const long key : want) CHECK(std::count(held.begin(), held.end(), key) == 1);
}

TEST_CASE("structs are swapped as a whole", "[accumulate][atomic]")
{
    const auto n = sizes();
    const auto a = numbers<int>(n);
    const auto x = vector_of(a);
    const std::size_t slots = 29;
    const auto score = [](int v) { return static_cast<float>(v % 1000); };
    std::vector<claim> want(slots, claim{0, -1.0f});
    for (std::size_t i = 0; i < n; ++i) {
        claim& best = want[i % slots];
        if (score(a[i]) > best.score) best = {static_cast<int>(i), score(a[i])};
    }
    sk::vector<claim> best(slots, claim{0, -1.0f});
    sk::for_each(SKELRT_FN((sk::index1 i, int v, sk::atomic_vec<claim> t) {
        claim mine;
        mine.who = (int)i.i;
        mine.score = (float)(v % 1000);
        const size_t slot = i.i % t.size();
        claim seen = t.load(slot);
        // the first of those that have the most
        while (mine.score > seen.score || (mine.score == seen.score && mine.who < seen.who)) {
            const claim before = t.compare_exchange(slot, seen, mine);
            if (before.who == seen.who && before.score == seen.score) break;
            seen = before;
        }
    }))(x, best);
    const auto got = values(best);
    for (std::size_t s = 0; s < slots; ++s) {
        CHECK(got[s].score == want[s].score);
        CHECK(got[s].who == want[s].who);
    }
    sk::vector<half_claim> narrow(3, half_claim{1, 2});
    sk::for_each(SKELRT_FN((sk::index1 i, sk::atomic_vec<half_claim> t) {
        half_claim all;
        all.a = (short)i.i;
        all.b = (short)-all.a;
        t.exchange(i.i % 2, all);
    }))(sk::shape(100), narrow);
    const auto pairs = values(narrow);
    CHECK(pairs[0].a == -pairs[0].b);
    CHECK(pairs[0].a % 2 == 0);
    CHECK(pairs[1].a % 2 == 1);
    CHECK(pairs[2].a == 1);
    CHECK(pairs[2].b == 2);
}

TEST_CASE("an atomic_vec begins with the elements; all of its methods", "[accumulate][atomic]")
{
    const std::size_t n = 3000;
    sk::vector<float> f(5, 2.0f);
    sk::for_each(SKELRT_FN((sk::index1 i, sk::atomic_vec<float> t) {
        t.add(0, 1);
        t.min(1, -(float)i.i);
        t.max(2, (float)i.i);
        if (t.load(3) != 2) t.exchange(3, -1);
    }))(sk::shape(n), f.range(0, 4));
    check_equal(f, std::vector<float>{3002, -2999, 2999, 2, 2});
    sk::matrix<int> m(2, 2, 6);
    for (int k = 0; k < 2; ++k)
        sk::for_each(SKELRT_FN((sk::index1 i, sk::atomic_vec<int> t) {
            t.bit_or(0, 1 << (int)(i.i % 16));
            t.bit_and(1, (int)(i.i % 2) | 4);
            t.add(2, (int)i.i);
        }))(sk::shape(n), m);
    check_equal(m, std::vector<int>{0xffff, 4, 6 + 2 * 2999 * 1500, 6});
    sk::vector<long> l(4, -7l);
    sk::for_each(SKELRT_FN((sk::index1 i, sk::atomic_vec<long> t) {
        const long big = 1l << 40;
        t.add(0, big + (long)i.i);
        t.min(1, -big - (long)i.i);
        t.max(2, big + (long)i.i);
        if (i.i == 5) t.exchange(3, big);
    }))(sk::shape(n), l);
    const long big = 1l << 40, last = 2999;
    check_equal(l, std::vector<long>{3000 * big + last * 1500 - 7, -big - last, big + last, big});
}
