// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <memory>
#include <thread>

/// Chains long enough that calls are left running on a GPU when the next is already there: see docs/decisions/0013.
using namespace test;

namespace
{

const auto increment = sk::map(SKELRT_FN((unsigned a) { return a + 1; }));
const auto add = sk::map(SKELRT_FN((unsigned a, unsigned b) { return a + b; }));
const auto sum = sk::reduce(sk::plus, 0u);
/// Takes long enough that others would overtake it if they could: x + rounds.
const auto slowly = sk::map(SKELRT_FN((unsigned a, int rounds) {
    unsigned y = a;
    for (int k = 0; k < rounds; ++k) y = y * 3u + 1u - 2u * y;
    return y;
}));
constexpr unsigned rounds = 2000;

/// As often as calls are known by then: the first ones are measured.
void settle(sk::vector<unsigned>& x, unsigned times)
{
    for (unsigned k = 0; k < times; ++k) x = increment(x);
}

} // namespace

TEST_CASE("the host reads and writes in the middle of a chain", "[async][chains]")
{
    const std::size_t n = 50'021;
    sk::vector<unsigned> x(n, 0u);
    unsigned want = 0;
    for (unsigned round = 0; round < 5; ++round) {
        settle(x, 40);
        x = slowly(x, static_cast<int>(rounds));
        want += 40 + rounds;
        check_equal(x, std::vector<unsigned>(n, want));
        {
            const auto h = sk::host(x);
            for (auto& v : h) v += 5;
        }
        want += 5;
        x = slowly(x, static_cast<int>(rounds));
        want += rounds;
        sk::wait(x);
        REQUIRE(sum(x) == static_cast<unsigned>(n) * want);
    }
}

TEST_CASE("a chain goes from one kind of device to another and back", "[async][chains]")
{
    const std::size_t n = 30'011;
    sk::vector<unsigned> x(n, 0u), y(n, 1u);
    unsigned want = 0;
    for (unsigned round = 0; round < 6; ++round) {
        settle(x, 25);
        x = slowly(x, static_cast<int>(rounds));
        want += 25 + rounds;
        {
            const sk::only cores(sk::device::cpu); // reads what the device has just been given to do
            y = add(x, y);
            x = increment(x);
        }
        want += 1;
        x = slowly(x, static_cast<int>(rounds));
        want += rounds;
    }
    check_equal(x, std::vector<unsigned>(n, want));
    unsigned total = 1, now = 0;
    for (unsigned round = 0; round < 6; ++round) {
        now += 25 + rounds;
        total += now;
        now += 1 + rounds;
    }
    check_equal(y, std::vector<unsigned>(n, total));
}

TEST_CASE("containers are copied and let go of behind a chain", "[async][chains]")
{
    const std::size_t n = 40'009;
    std::vector<sk::vector<unsigned>> kept;
    unsigned want = 0;
    auto x = std::make_unique<sk::vector<unsigned>>(n, 0u);
    for (unsigned round = 0; round < 8; ++round) {
        settle(*x, 20);
        *x = slowly(*x, static_cast<int>(rounds));
        want += 20 + rounds;
        kept.push_back(*x);
        auto next = std::make_unique<sk::vector<unsigned>>(n, 7u);
        *next = add(*x, *next);
        x = std::move(next); // its memory is free while the kernel may still read it
        const sk::vector<unsigned> other(n, round);
        *x = add(*x, other);
        want += 7 + round;
    }
    check_equal(*x, std::vector<unsigned>(n, want));
    want = 0;
    for (unsigned round = 0; round < 8; ++round) {
        want += 20 + rounds;
        check_equal(kept[round], std::vector<unsigned>(n, want));
        want += 7 + round;
    }
}

TEST_CASE("chains of several threads", "[async][chains]")
{
    const std::size_t n = 20'011;
    std::vector<unsigned> wrong(3, 0);
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 3; ++t)
        threads.emplace_back([&, t] {
            const on_devices only;
            sk::vector<unsigned> x(n, t);
            for (unsigned round = 0; round < 4; ++round) {
                settle(x, 30);
                x = slowly(x, static_cast<int>(rounds));
                for (const unsigned v : values(x)) wrong[t] += v != t + (round + 1) * (30 + rounds);
            }
        });
    for (auto& t : threads) t.join();
    REQUIRE(wrong == std::vector<unsigned>(3, 0));
}

TEST_CASE("sums in a chain", "[async][chains]")
{
    const std::size_t n = 10'007;
    sk::vector<unsigned> x(n, 1u);
    unsigned want = 1;
    for (unsigned k = 0; k < 150; ++k) {
        x = k % 10 == 3 ? slowly(x, static_cast<int>(rounds)) : slowly(x, 1);
        want += k % 10 == 3 ? rounds : 1;
        if (k % 7 == 0) REQUIRE(sum(x) == static_cast<unsigned>(n) * want);
    }
}
