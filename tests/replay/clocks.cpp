// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/network/rank_clocks.hpp"

#include <skelrt/error.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <random>
#include <vector>

using namespace skelrt::detail;
using Catch::Contains;
using what = phase::what;

namespace
{

/// 2 us a value, 10 us a message, 1 us one more, 0.001 us a byte, 0.0005 us a byte copied.
network_peaks network()
{
    const auto f = [](double value) { return fact{value, source::assumed}; };
    return {f(2), f(10), f(1), f(1000), f(2000)};
}

const std::array<std::size_t, 1> container_0{0};

/// All ranks have shares of so many microseconds, after these messages of operand 0.
call_phases step(unsigned ranks, double share_us, std::vector<message> messages)
{
    call_phases c{std::vector<double>(ranks, share_us), {}, {}};
    c.phases.push_back({what::exchange, 0, std::move(messages), 0, 1});
    c.phases.push_back({what::share, 0, {}, 0, 1});
    return c;
}

/// A line of so many bytes to each neighbour.
std::vector<message> neighbours(unsigned ranks, double bytes)
{
    std::vector<message> all;
    for (unsigned r = 0; r < ranks; ++r) {
        if (r > 0) all.push_back({r, r - 1, bytes});
        if (r + 1 < ranks) all.push_back({r, r + 1, bytes});
    }
    return all;
}

} // namespace

TEST_CASE("a message takes what the network's parameters say", "[network]")
{
    const message_cost c = cost_of_messages(network());
    CHECK(us_of(c, 0) == 10);
    CHECK(us_of(c, 1000) == Approx(12));
    CHECK(busiest_us(c, 2, std::vector<message>{{0, 1, 1000}}) == Approx(12));
    CHECK(busiest_us(c, 2, {}) == 0);
    CHECK_THROWS_WITH(cost_of_messages({}), Contains("skelrt calibrate --network"));
    CHECK_THROWS_WITH(rank_clocks({}, 2), Contains("skelrt calibrate --network"));
    CHECK_NOTHROW(rank_clocks({}, 1));
}

TEST_CASE("messages of a rank leave one after the other, and so do they come", "[network]")
{
    const message_cost c = cost_of_messages(network());
    std::vector<message> out, in, all;
    for (unsigned r = 1; r < 5; ++r) {
        out.push_back({0, r, 1000});
        in.push_back({r, 0, 1000});
        for (unsigned q = 1; q < 5; ++q)
            if (q != r) all.push_back({r, q, 1000});
    }
    // Three more of 1 + 1 + 0.5 us, and one of 12.
    CHECK(busiest_us(c, 5, out) == Approx(3 * 2.5 + 12));
    CHECK(busiest_us(c, 5, in) == Approx(10 - 1 + 4 * 2.5));
    CHECK(busiest_us(c, 5, all) < 2 * 3 * 2.5 + 12);
}

TEST_CASE("trees take as many hops as the logarithm of the ranks", "[network]")
{
    const message_cost c = cost_of_values(network());
    for (const unsigned ranks : {1u, 2u, 3u, 4u, 5u, 8u, 1000u, 1024u}) {
        const double hops = std::ceil(std::log2(ranks));
        const double joined = std::ranges::max(after_join(c, 0, clocks(ranks)));
        CHECK(joined <= 2 * hops * 2);
        if (std::has_single_bit(ranks)) CHECK(joined == Approx(2 * hops * 2));
        CHECK(std::ranges::max(after_all_gather(c, 0, clocks(ranks))) == Approx(hops * 2));
        clocks late(ranks);
        late.back() = 100; // all wait for the last
        CHECK(std::ranges::min(after_join(c, 0, late)) >= 100);
        CHECK(std::ranges::min(after_all_gather(c, 0, late)) >= 100);
    }
    // Each rank gets the bytes of all others, whatever the rounds.
    CHECK(std::ranges::max(after_all_gather(c, 500, clocks(8))) == Approx(3 * 2 + 7 * 500 * 0.002));
}

TEST_CASE("on one rank calls take the sum of their shares", "[replay]")
{
    rank_clocks clocks({}, 1);
    double sum = 0;
    for (const double us : {3.0, 0.0, 5.5, 1.25}) {
        clocks.play(step(1, us, {}), container_0, container_0);
        sum += us;
    }
    CHECK(clocks.end() == Approx(sum));
    CHECK(clocks.totals()[0].share_us == Approx(sum));
    CHECK(clocks.totals()[0].messages_sent == 0);
}

TEST_CASE("a chain of two ranks: each step waits for the other's line", "[replay]")
{
    rank_clocks clocks(network(), 2);
    for (int k = 0; k < 5; ++k) clocks.play(step(2, 7, neighbours(2, 1000)), container_0, container_0);
    CHECK(clocks.end() == Approx(5 * (12 + 7)));
    CHECK(clocks.totals()[1].messages_sent == 5);
    CHECK(clocks.totals()[1].bytes_sent == 5000);
}

TEST_CASE("what goes first leaves while the rest is computed", "[replay]")
{
    // 12 us a message, 5 us of edges, 20 us in all: 15 us hide the message.
    const auto with_edges = [](double share_us, double edges_us) {
        call_phases c = step(2, share_us, neighbours(2, 1000));
        c.phases[0].of_edges = true;
        c.edges_us = {edges_us, edges_us};
        return c;
    };
    rank_clocks hidden(network(), 2), shown(network(), 2), whole(network(), 2);
    for (int k = 0; k < 5; ++k) {
        hidden.play(with_edges(20, 5), container_0, container_0);
        shown.play(with_edges(10, 5), container_0, container_0);
        whole.play(with_edges(20, 0), container_0, container_0);
    }
    // In the first step lines are late, so the inside goes first.
    CHECK(hidden.end() == Approx(20 + 12 + 4 * 20).margin(12));
    CHECK(hidden.end() < whole.end() - 4 * 10);
    CHECK(whole.end() == Approx(5 * (12 + 20)));
    CHECK(shown.end() == Approx(5 * (12 + 5))); // what a message takes, and the edges after it
    CHECK(hidden.totals()[0].share_us == Approx(100));
    CHECK(hidden.totals()[0].messages_sent == 5);
}

TEST_CASE("a message goes on while its rank does other calls", "[replay]")
{
    // Container 0 is written, container 1 computed with for 20 us, then 0 is needed by the other rank.
    rank_clocks clocks(network(), 2);
    const std::array<std::size_t, 1> one{1};
    clocks.play({{5, 5}, {}, {{what::share, 0, {}, 0, 1}}}, {}, container_0);
    clocks.play({{20, 20}, {}, {{what::share, 0, {}, 0, 1}}}, one, one);
    clocks.play(step(2, 1, {{0, 1, 1000}}), container_0, one);
    CHECK(clocks.end() == Approx(26));
}

TEST_CASE("values make the program wait, and what follows it", "[replay]")
{
    rank_clocks clocks(network(), 4);
    clocks.play({{1, 2, 30, 4}, {}, {{what::share, 0, {}, 0, 1}, {what::join, 0, {}, 0, 1}}}, container_0, {});
    CHECK(clocks.end() == Approx(30 + 2 + 2 * 2)); // up: rank 2 to 0; down: two hops
    clocks.play({{10, 10, 10, 10}, {}, {{what::share, 0, {}, 0, 1}}}, container_0, container_0);
    CHECK(clocks.end() == Approx(46));
}

TEST_CASE("a rank without a share does not wait for its devices, but for what comes", "[replay]")
{
    rank_clocks clocks(network(), 2);
    clocks.play({{5, 0}, {}, {{what::share, 0, {}, 0, 1}, {what::gather, 0, {}, 0, 1}}}, container_0, {});
    CHECK(clocks.end() == Approx(7));
    clocks.play({{0, 0}, {}, {{what::deliver, 0, {{0, 1, 1000}}, 0, 1}}}, container_0, container_0);
    CHECK(clocks.end() == Approx(5 + 12));
}

TEST_CASE("more latency, less bandwidth, longer shares: never sooner", "[replay]")
{
    std::mt19937 random(7);
    const auto one_of = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    for (int round = 0; round < 50; ++round) {
        const unsigned ranks = 2 + one_of(9);
        std::vector<call_phases> calls;
        for (int k = 0; k < 20; ++k) {
            std::vector<message> messages;
            for (unsigned m = one_of(3 * ranks); m > 0; --m) {
                const unsigned from = one_of(ranks);
                messages.push_back({from, (from + 1 + one_of(ranks - 1)) % ranks, 1.0 * one_of(100000)});
            }
            calls.push_back(step(ranks, one_of(50), std::move(messages)));
            if (one_of(3) == 0) calls.back().phases.push_back({what::join, 0, {}, 8, 1});
        }
        const auto end = [&](const network_peaks& n, double longer) {
            rank_clocks clocks(n, ranks);
            for (call_phases c : calls) {
                for (double& us : c.share_us) us *= longer;
                clocks.play(c, container_0, container_0);
            }
            return clocks.end();
        };
        const double base = end(network(), 1);
        network_peaks slow = network(), narrow = network(), busy = network();
        slow.message_us.value *= 3, slow.value_us.value *= 2;
        narrow.bytes_per_us.value /= 4;
        busy.overhead_us.value *= 2;
        CHECK(end(slow, 1) >= base);
        CHECK(end(narrow, 1) >= base);
        CHECK(end(busy, 1) >= base);
        CHECK(end(network(), 1.5) >= base);
    }
}
