// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <exception>
#include <memory>
#include <thread>

using namespace test;

namespace
{

const auto increment = sk::map(SKELRT_FN((unsigned a) { return a + 1; }));
const auto add = sk::map(SKELRT_FN((unsigned a, unsigned b) { return a + b; }));
const auto sum = sk::reduce(sk::plus, 0u);

} // namespace

TEST_CASE("a chain of dependent calls", "[async]")
{
    const auto n = GENERATE(as<std::size_t>(), 1, 100, 20'011);
    sk::vector<unsigned> x(n, 0u);
    for (int k = 0; k < 100; ++k) x = increment(x);
    check_equal(x, std::vector<unsigned>(n, 100));
}

TEST_CASE("two vectors that depend on each other", "[async]")
{
    const std::size_t n = 5003;
    sk::vector<unsigned> x(n, 1u), y(n, 1u);
    unsigned a = 1, b = 1;
    for (int k = 0; k < 40; ++k) {
        x = add(x, y);
        y = add(y, x);
        a += b;
        b += a;
    }
    check_equal(x, std::vector<unsigned>(n, a));
    check_equal(y, std::vector<unsigned>(n, b));
}

TEST_CASE("many independent calls", "[async]")
{
    std::vector<sk::vector<unsigned>> x;
    for (unsigned k = 0; k < 100; ++k) x.emplace_back(1 + 37 * k, k);
    for (int round = 0; round < 3; ++round)
        for (auto& v : x) v = increment(v);
    for (unsigned k = 0; k < 100; ++k) check_equal(x[k], std::vector<unsigned>(1 + 37 * k, k + 3));
}

TEST_CASE("temporaries may go while calls use them", "[async]")
{
    const std::size_t n = 10'007;
    sk::vector<unsigned> x(n, 0u);
    for (unsigned k = 0; k < 50; ++k) {
        const sk::vector<unsigned> passing(n, k);
        x = add(x, passing);
    }
    check_equal(x, std::vector<unsigned>(n, 49 * 50 / 2));
    auto gone = std::make_unique<sk::vector<unsigned>>(n, 5u);
    sk::vector<unsigned> y = increment(*gone);
    *gone = increment(y);
    gone.reset();
    check_equal(y, std::vector<unsigned>(n, 6));
}

TEST_CASE("waiting for one container, or for everything", "[async]")
{
    sk::vector<unsigned> x(10'000, 1u), y(10'000, 2u);
    x = increment(x);
    y = increment(y);
    sk::wait(x);
    check_equal(x, std::vector<unsigned>(10'000, 2));
    sk::wait(y);
    sk::wait(sk::vector<unsigned>());
    check_equal(y, std::vector<unsigned>(10'000, 3));
}

TEST_CASE("host and calls take turns", "[async][host]")
{
    const std::size_t n = 3001;
    sk::vector<unsigned> x(n, 0u);
    for (unsigned k = 0; k < 30; ++k) {
        x = increment(x);
        auto h = sk::host(x);
        REQUIRE(h[n - 1] == 2 * k + 1);
        for (auto& v : h) ++v;
    }
    check_equal(x, std::vector<unsigned>(n, 60));
}

TEST_CASE("reductions in a chain, without waiting", "[async][scalar]")
{
    const std::size_t n = 1000;
    sk::vector<unsigned> x(n, 1u);
    const auto shift = sk::map(SKELRT_FN((unsigned a, unsigned by) { return a + by; }));
    unsigned want = 1;
    for (int k = 0; k < 10; ++k) {
        const sk::scalar<unsigned> s = sum(x);
        x = shift(x, s);
        want += static_cast<unsigned>(n) * want;
    }
    check_equal(x, std::vector<unsigned>(n, want));
}

TEST_CASE("several threads with containers of their own", "[async][threads]")
{
    constexpr unsigned threads = 4;
    std::vector<std::exception_ptr> failures(threads);
    std::vector<unsigned> sums(threads);
    {
        std::vector<std::jthread> running;
        for (unsigned t = 0; t < threads; ++t)
            running.emplace_back([&, t] {
                try {
                    const test::on_devices here;
                    sk::vector<unsigned> x(2003 + 1000 * t, t), y;
                    for (int k = 0; k < 25; ++k) {
                        x = increment(x);
                        y = add(x, x);
                        sums[t] = sum(y);
                    }
                } catch (...) {
                    failures[t] = std::current_exception();
                }
            });
    }
    for (const auto& f : failures)
        if (f) std::rethrow_exception(f);
    for (unsigned t = 0; t < threads; ++t) REQUIRE(sums[t] == 2 * (t + 25) * (2003 + 1000 * t));
}

TEST_CASE("several threads read one container", "[async][threads]")
{
    const std::size_t n = 5000;
    sk::vector<unsigned> x(n, 1u);
    x = increment(x);
    std::vector<unsigned> sums(3);
    {
        std::vector<std::jthread> running;
        for (auto& s : sums)
            running.emplace_back([&] {
                const test::on_devices here;
                for (int k = 0; k < 10; ++k) s = sum(x);
            });
    }
    for (const unsigned s : sums) REQUIRE(s == 2 * n);
}
