// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <exception>
#include <numeric>
#include <thread>

/// Small calls in a row, which become one task: results are those of the calls one by one. SKELRT_BATCH says how many.
using namespace test;

namespace
{

const auto increment = sk::map(SKELRT_FN((unsigned a) { return a + 1; }));
const auto add = sk::map(SKELRT_FN((unsigned a, unsigned b) { return a + b; }));
const auto shift = sk::map(SKELRT_FN((unsigned a, unsigned by) { return a + by; }));
const auto sum = sk::reduce(sk::plus, 0u);
const auto neighbours =
    sk::stencil(SKELRT_FN((sk::hood1<unsigned> h) { return h(-1) + h(0) + h(1); }), sk::border::constant(0u));

std::size_t sizes_of_chains() { return GENERATE(as<std::size_t>(), 1, 100, 3001); }

/// As often as calls are known by then.
void settle(std::size_t n)
{
    sk::vector<unsigned> x(n, 0u), y(n, 1u);
    for (int k = 0; k < 30; ++k) x = increment(x), y = add(x, y);
    sk::wait(y);
}

} // namespace

TEST_CASE("chains of every length", "[batch]")
{
    const std::size_t n = sizes_of_chains();
    settle(n);
    for (unsigned length = 1; length < 40; ++length) {
        sk::vector<unsigned> x(n, length);
        for (unsigned k = 0; k < length; ++k) x = increment(x);
        check_equal(x, std::vector<unsigned>(n, 2 * length));
    }
}

TEST_CASE("containers that take turns as operand and result", "[batch]")
{
    const std::size_t n = sizes_of_chains();
    settle(n);
    std::vector<sk::vector<unsigned>> x;
    std::vector<unsigned> want;
    for (unsigned k = 0; k < 5; ++k) x.emplace_back(n, k), want.push_back(k);
    for (unsigned k = 0; k < 200; ++k) {
        const unsigned a = k % 5, b = (3 * k + 1) % 5, to = (2 * k + 3) % 5;
        x[to] = add(x[a], x[b]);
        want[to] = want[a] + want[b];
    }
    for (unsigned k = 0; k < 5; ++k) check_equal(x[k], std::vector<unsigned>(n, want[k]));
}

TEST_CASE("more containers than a task has room for", "[batch]")
{
    const std::size_t n = 100;
    settle(n);
    std::vector<sk::vector<unsigned>> x;
    for (unsigned k = 0; k < 90; ++k) x.emplace_back(n, k);
    for (unsigned round = 0; round < 3; ++round)
        for (auto& v : x) v = increment(v);
    for (unsigned k = 0; k < 90; ++k) check_equal(x[k], std::vector<unsigned>(n, k + 3));
}

TEST_CASE("sums to scalars within a chain", "[batch][scalar]")
{
    const std::size_t n = GENERATE(1, 257, 3001);
    settle(n);
    sk::vector<unsigned> x(n, 1u);
    unsigned want = 1;
    for (int k = 0; k < 60; ++k) {
        const unsigned total = static_cast<unsigned>(n) * want;
        const sk::scalar<unsigned> s = sum(x);
        x = shift(x, s);
        want += total;
        if (k % 13 == 0) REQUIRE(s.get() == total);
        if (k % 13 == 0) x = sk::vector<unsigned>(n, want = 1u);
    }
    check_equal(x, std::vector<unsigned>(n, want));
}

TEST_CASE("calls like the one before, and then not", "[batch]")
{
    const std::size_t n = GENERATE(2, 1000, 20'000);
    settle(n);
    sk::vector<unsigned> x(n, 1u), y(n, 2u), small(n / 2, 3u);
    std::vector<unsigned> a(n, 1u), b(n, 2u), c(n / 2, 3u);
    for (unsigned k = 0; k < 400; ++k) {
        switch (k % 16 < 9 ? 0 : k * 7 % 11) { // mostly the same, 64 times and more
        case 1:
            sk::host(x)[k % n] += k;
            a[k % n] += k;
            break;
        case 2:
            REQUIRE(sum(y).get() == std::accumulate(b.begin(), b.end(), 0u));
            break;
        case 3:
            small = add(small, small);
            for (unsigned& v : c) v += v;
            break;
        case 4:
            y.range(0, n / 2) = add(x.range(n - n / 2, n / 2), y.range(0, n / 2));
            for (std::size_t i = 0; i < n / 2; ++i) b[i] += a[n - n / 2 + i];
            break;
        case 5: {
            const sk::only cores(sk::device::cpu);
            y = add(x, y);
            for (std::size_t i = 0; i < n; ++i) b[i] += a[i];
            break;
        }
        case 6:
            x = sk::vector<unsigned>(n, k);
            a.assign(n, k);
            break;
        default:
            y = add(x, y);
            for (std::size_t i = 0; i < n; ++i) b[i] += a[i];
        }
    }
    check_equal(x, a);
    check_equal(y, b);
    check_equal(small, c);
}

TEST_CASE("the host reads, writes and sums in the middle", "[batch][host]")
{
    const std::size_t n = sizes_of_chains();
    settle(n);
    sk::vector<unsigned> x(n, 0u);
    unsigned want = 0;
    for (unsigned round = 0; round < 40; ++round) {
        for (unsigned k = 0; k < round % 7; ++k) x = increment(x), ++want;
        if (round % 3 == 0) REQUIRE(sum(x).get() == static_cast<unsigned>(n) * want);
        if (round % 3 == 1) REQUIRE(sk::host_read(x)[n - 1] == want);
        if (round % 5 == 0) {
            for (auto& v : sk::host(x)) ++v;
            ++want;
        }
    }
    check_equal(x, std::vector<unsigned>(n, want));
}

TEST_CASE("containers that go, and copies, in the middle", "[batch]")
{
    const std::size_t n = sizes_of_chains();
    settle(n);
    sk::vector<unsigned> x(n, 0u), before;
    for (unsigned k = 0; k < 50; ++k) {
        sk::vector<unsigned> passing(n, k);
        passing = increment(passing);
        x = add(x, passing);
        if (k == 20) before = x;
    }
    check_equal(x, std::vector<unsigned>(n, 50 * 51 / 2));
    check_equal(before, std::vector<unsigned>(n, 21 * 22 / 2));
}

TEST_CASE("stencils between maps", "[batch][stencil]")
{
    const std::size_t n = GENERATE(3, 100, 3001);
    settle(n);
    sk::vector<unsigned> x(n, 1u);
    std::vector<unsigned> want(n, 1u);
    for (unsigned k = 0; k < 20; ++k) {
        x = neighbours(x);
        x = increment(x);
        std::vector<unsigned> old = want;
        for (std::size_t i = 0; i < n; ++i)
            want[i] = old[i] + (i > 0 ? old[i - 1] : 0) + (i + 1 < n ? old[i + 1] : 0) + 1;
    }
    check_equal(x, want);
}

TEST_CASE("other calls in between", "[batch]")
{
    const std::size_t n = 5003, rows = 7;
    settle(n);
    sk::vector<unsigned> x(n, 1u), running;
    sk::matrix<unsigned> m(rows, 11, 1u);
    for (unsigned k = 0; k < 20; ++k) {
        x = increment(x);
        running = sk::scan(sk::plus)(x);
        m = increment(m);
        x = sk::sort(x);
        const sk::vector<unsigned> by_row = sum.by_row(m), by_column = sum.by_column(m);
        REQUIRE(sk::host_read(running)[n - 1] == static_cast<unsigned>(n) * (k + 2));
        check_equal(by_row, std::vector<unsigned>(rows, 11 * (k + 2)));
        check_equal(by_column, std::vector<unsigned>(11, static_cast<unsigned>(rows) * (k + 2)));
    }
}

TEST_CASE("threads whose calls mix", "[batch][threads]")
{
    constexpr unsigned threads = 4;
    settle(500);
    std::vector<std::exception_ptr> failures(threads);
    std::vector<unsigned> results(threads);
    sk::vector<unsigned> shared(500, 2u);
    {
        std::vector<std::jthread> running;
        for (unsigned t = 0; t < threads; ++t)
            running.emplace_back([&, t] {
                try {
                    const test::on_devices here;
                    sk::vector<unsigned> x(500, t);
                    for (unsigned k = 0; k < 300; ++k) {
                        if (k % 3 == 2) x = add(x, shared);
                        else x = increment(x);
                        if (k % 50 == t) sk::wait(x);
                        if (k % 70 == t) static_cast<void>(sk::host_read(x)[0]);
                    }
                    results[t] = sum(x);
                } catch (...) {
                    failures[t] = std::current_exception();
                }
            });
    }
    for (const auto& f : failures)
        if (f) std::rethrow_exception(f);
    for (unsigned t = 0; t < threads; ++t) REQUIRE(results[t] == 500 * (t + 400));
}
