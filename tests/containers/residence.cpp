// SPDX-License-Identifier: BSD-3-Clause
/// sk::prefetch, sk::evict and sk::where: wishes, which change no result.

#include "../conformance/support.hpp"

#include <chrono>
#include <thread>

using namespace test;

namespace
{

const auto twice = sk::map(SKELRT_FN((int a) { return 2 * a; }));
const auto sum = sk::reduce(sk::plus, 0L);

/// Kinds under test with memory of their own.
std::vector<sk::device> with_memory()
{
    std::vector<sk::device> all;
    for (const sk::device kind : {sk::device::cuda, sk::device::opencl})
        if (devices().has(kind)) all.push_back(kind);
    return all;
}

sk::residence on(const std::vector<sk::residence>& all, sk::device kind)
{
    for (const sk::residence& r : all)
        if (r.kind == kind && r.number == 0) return r;
    return {kind, 0, 0, 0, 0};
}

/// Once nothing is on its way any more.
template <class X>
sk::residence settled_on(const X& x, sk::device kind)
{
    for (;;) {
        const sk::residence there = on(sk::where(x), kind);
        if (there.arriving == 0) return there;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

} // namespace

TEST_CASE("what nobody has used lies with the host", "[residence]")
{
    const sk::vector<int> x(1000, 1);
    const auto all = sk::where(x);
    REQUIRE(all.size() == 1);
    REQUIRE(all[0].kind == sk::device::cpu);
    REQUIRE(all[0].tiles == 1);
    REQUIRE(all[0].arriving == 0);
    REQUIRE(sk::where(sk::vector<int>()).empty());
    REQUIRE(sk::where(sk::matrix<int>(0, 3)).empty());
    sk::evict(x);
    sk::prefetch(x, sk::device::cpu);
    check_equal(x, std::vector<int>(1000, 1));
}

TEST_CASE("data goes where it is wished, and comes home", "[residence]")
{
    const std::size_t n = GENERATE(1, 3, 50'021);
    const auto a = numbers<int>(n);
    for (const sk::device kind : with_memory()) {
        auto x = vector_of(a);
        sk::prefetch(x, kind);
        const sk::residence there = settled_on(x, kind), home = on(sk::where(x), sk::device::cpu);
        REQUIRE(there.bytes == n * sizeof(int));
        REQUIRE(there.tiles == home.tiles);
        REQUIRE(home.bytes == n * sizeof(int)); // other copies stay
        {
            const sk::only here(kind);
            x = twice(x);
        }
        sk::evict(x);
        REQUIRE(on(sk::where(x), kind).tiles == 0);
        REQUIRE(on(sk::where(x), sk::device::cpu).bytes == n * sizeof(int));
        x = twice(x);
        check_equal(x, expected(n, [&](std::size_t i) { return 4 * a[i]; }));
    }
}

TEST_CASE("wishes go behind the calls before them", "[residence][async]")
{
    const auto a = numbers<int>(50'021);
    for (const sk::device kind : with_memory()) {
        auto x = vector_of(a);
        for (int k = 0; k < 5; ++k) {
            const sk::only here(kind);
            x = twice(x);
            sk::evict(x);
            const sk::vector<int> copy = x;
            sk::prefetch(x, kind);
            sk::prefetch(copy, sk::device::cpu);
        }
        check_equal(x, expected(a.size(), [&](std::size_t i) { return 32 * a[i]; }));
    }
}

TEST_CASE("parts, matrices, tensors and scalars", "[residence]")
{
    sk::matrix<int> m(210, 33, 1);
    m.set_tiles(7);
    sk::tensor<int, 3> t({7, 5, 5}, 2);
    for (const sk::device kind : with_memory()) {
        sk::evict(m);
        sk::prefetch(m.sub(0, 0, 60, 3), kind);
        REQUIRE(settled_on(m, kind).tiles == 2);
        REQUIRE(settled_on(m.row(0), kind).tiles == 1);
        REQUIRE(settled_on(m.row(100), kind).tiles == 0);
        sk::evict(m.row(0));
        REQUIRE(settled_on(m, kind).tiles == 1);
        sk::prefetch(t, kind);
        REQUIRE(settled_on(t, kind).bytes == 175 * sizeof(int));
        sk::scalar<long> s = sum(sk::vector<long>(100, 1L));
        sk::prefetch(s, kind);
        REQUIRE(settled_on(s, kind).tiles == 1);
        sk::evict(s);
        REQUIRE(s.get() == 100);
    }
    check_equal(m, std::vector<int>(210 * 33, 1));
    check_equal(t, std::vector<int>(175, 2));
}

TEST_CASE("devices that are not there", "[residence]")
{
    using Catch::Contains;
    const sk::vector<int> x(10, 1);
    REQUIRE_THROWS_WITH(sk::prefetch(x, sk::device::cuda, 77), Contains("CUDA device 77") && Contains("10 elements"));
    REQUIRE_THROWS_WITH(sk::prefetch(x, sk::device::opencl, -1),
                        Contains("OpenCL device -1") && Contains("this runtime has"));
    REQUIRE_THROWS_AS(sk::prefetch(x, sk::device::cpu, 1), sk::error);
    REQUIRE_THROWS_AS(sk::prefetch(sk::vector<int>(), sk::device::cuda, 77), sk::error);
    check_equal(x, std::vector<int>(10, 1));
}

TEST_CASE("open views and wishes", "[residence]")
{
    using Catch::Contains;
    sk::vector<int> x(50'021, 1);
    x = twice(x);
    {
        const auto h = sk::host(x);
        REQUIRE_THROWS_WITH(sk::prefetch(x, sk::device::cpu), Contains("host view"));
        REQUIRE_THROWS_WITH(sk::evict(x), Contains("host view"));
        REQUIRE(on(sk::where(x), sk::device::cpu).tiles > 0);
        h[0] = 5;
    }
    {
        const auto h = sk::host_read(x);
        REQUIRE_THROWS_WITH(sk::evict(x), Contains("host view"));
        for (const sk::device kind : with_memory()) sk::prefetch(x, kind);
        REQUIRE(h[0] == 5);
        sk::vector<int> y = twice(x);
        check_equal(y, expected(x.size(), [](std::size_t i) { return i == 0 ? 10 : 4; }));
    }
    sk::evict(x);
    x = twice(x);
    check_equal(x, expected(x.size(), [](std::size_t i) { return i == 0 ? 10 : 4; }));
}

TEST_CASE("random wishes change no result", "[residence][async]")
{
    const unsigned seed = GENERATE(range(1u, 4u));
    const auto all = with_memory();
    sk::vector<long> x(20'011, 1L), y(20'011, 2L);
    const auto add = sk::map(SKELRT_FN((long a, long b) { return a % 1000003 + b; }));
    std::vector<long> v(20'011, 1L), w(20'011, 2L);
    unsigned state = seed;
    for (int step = 0; step < 60; ++step) {
        state = state * 1664525u + 1013904223u;
        sk::vector<long>& one = state >> 20 & 1 ? x : y;
        switch (state >> 24 & 7) {
        case 0:
        case 1:
            if (!all.empty()) sk::prefetch(one, all[(state >> 16) % all.size()]);
            break;
        case 2:
            sk::evict(one);
            break;
        case 3:
            sk::prefetch(one, sk::device::cpu);
            break;
        case 4:
            x.range(100, 50) = add(y.range(0, 50), x.range(7, 50));
            {
                const auto old = v;
                for (std::size_t i = 0; i < 50; ++i) v[100 + i] = w[i] % 1000003 + old[7 + i];
            }
            break;
        case 5:
            y = add(y, x);
            for (std::size_t i = 0; i < w.size(); ++i) w[i] = w[i] % 1000003 + v[i];
            break;
        default:
            x = add(x, y);
            for (std::size_t i = 0; i < v.size(); ++i) v[i] = v[i] % 1000003 + w[i];
        }
    }
    check_equal(x, v);
    check_equal(y, w);
}
