// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/replay/phases.hpp"
#include "src/lowering/ranks/needs/messages.hpp"
#include "tests/replay/made_up.hpp"

#include <skelrt/error.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>

using namespace made_up;
using Catch::Contains;

namespace
{

const cost_of_share evaluations_of = [](double) { return share_cost{0, 1}; };

call_phases phases_on(const recording& r, unsigned ranks) { return phases_of(r, r.calls[0], ranks, evaluations_of); }

std::vector<phase::what> kinds(const call_phases& c)
{
    std::vector<phase::what> all;
    for (const phase& p : c.phases) all.push_back(p.kind);
    return all;
}

double sum(const std::vector<double>& all) { return std::accumulate(all.begin(), all.end(), 0.0); }

double bytes_of(const std::vector<message>& all)
{
    double bytes = 0;
    for (const message& m : all) bytes += m.bytes;
    return bytes;
}

using what = phase::what;

} // namespace

TEST_CASE("maps of what is cut alike say nothing, and shares are balanced", "[phases]")
{
    const recording r = one_call(recipe_of(skeleton::map, {slot_kind::element, slot_kind::element}),
                                 {vector(1001), vector(1001)}, {0, 1});
    for (const unsigned ranks : {1u, 2u, 3u, 7u, 2000u}) {
        const call_phases c = phases_on(r, ranks);
        CHECK(kinds(c) == std::vector{what::share});
        CHECK(sum(c.share_us) == 1001);
        CHECK(std::ranges::max(c.share_us) - std::ranges::min(c.share_us) <= 1);
    }
}

TEST_CASE("stencils send a row to each neighbour, cyclic ones around the ends, too", "[phases]")
{
    for (const auto& [border, more] : {std::pair{border_rule::constant, 0u}, {border_rule::cyclic, 2u}})
        for (const unsigned ranks : {2u, 3u, 5u, 64u}) {
            const call_phases c = phases_on(steps(100, 37, 1, border), ranks);
            REQUIRE(kinds(c) == std::vector{what::exchange, what::share});
            CHECK(c.phases[0].messages.size() == 2 * (ranks - 1) + more);
            CHECK(bytes_of(c.phases[0].messages) == (2 * (ranks - 1) + more) * 37 * 8);
            if (ranks > 2) CHECK(c.extra_bytes[1] == 2 * 37 * 8);
        }
}

TEST_CASE("what is read whole goes from every rank to every other", "[phases]")
{
    recording r = one_call(recipe_of(skeleton::map, {slot_kind::element, slot_kind::vec, slot_kind::element}),
                           {vector(100), vector(100)}, {0, 1, 0});
    for (const unsigned ranks : {2u, 4u, 10u}) {
        const call_phases c = phases_on(r, ranks);
        REQUIRE(kinds(c) == std::vector{what::exchange, what::share});
        CHECK(c.phases[0].operand == 1);
        CHECK(c.phases[0].messages.size() == ranks * (ranks - 1));
        CHECK(bytes_of(c.phases[0].messages) == (ranks - 1) * 100 * 8);
        CHECK(c.extra_bytes[0] == 800);
    }
}

TEST_CASE("reductions join a value, scans gather one and read twice", "[phases]")
{
    const recording sum_of = one_call(recipe_of(skeleton::reduce, {slot_kind::element}), {vector(100)}, {0});
    CHECK(kinds(phases_on(sum_of, 4)) == std::vector{what::share, what::join});
    CHECK(phases_on(sum_of, 4).phases[1].bytes == 9);
    CHECK(kinds(phases_on(sum_of, 1)) == std::vector{what::share});
    recording columns =
        one_call(recipe_of(skeleton::reduce_columns, {slot_kind::element}), {matrix(10, 6), vector(6)}, {0});
    columns.calls[0].result = whole(columns, 1);
    CHECK(phases_on(columns, 3).phases[1].bytes == 6 * 8 + 1);
    const recording scan = one_call(recipe_of(skeleton::scan, {slot_kind::element, slot_kind::element}),
                                    {vector(100), vector(100)}, {0, 1});
    CHECK(kinds(phases_on(scan, 3)) == std::vector{what::share, what::gather, what::gather, what::share});
    CHECK(us_beyond_share(scan, scan.calls[0], 2, network(), 10) == Approx(5 + 2 + 2).margin(0.1));
    recording down = scan;
    down.recipes[0].kind = skeleton::scan_columns;
    CHECK(kinds(phases_on(down, 3)) == std::vector{what::share, what::deliver, what::share});
}

TEST_CASE("filters and sorts bring results to balanced parts", "[phases]")
{
    recording filter = one_call(recipe_of(skeleton::filter, {slot_kind::element, slot_kind::element}),
                                {vector(1000), vector(1000)}, {0, 1});
    filter.calls[0].kept = 500;
    const call_phases f = phases_on(filter, 4);
    CHECK(kinds(f) == std::vector{what::share, what::gather, what::gather, what::deliver});
    CHECK(bytes_of(f.phases[3].messages) > 0); // by chance some ranks keep more
    CHECK(bytes_of(f.phases[3].messages) < 4 * 500 / 4);
    filter.calls[0].kept = 1000;
    CHECK(phases_on(filter, 4).phases[3].messages.empty());
    filter.calls[0].kept = 0;
    CHECK_NOTHROW(phases_on(filter, 4));

    const recording sort = one_call(recipe_of(skeleton::sort, {slot_kind::element, slot_kind::element}),
                                    {vector(1000), vector(1000)}, {0, 1});
    for (const unsigned ranks : {2u, 3u, 5u, 8u}) {
        const call_phases s = phases_on(sort, ranks);
        const phase& swap = s.phases[s.phases.size() - 3];
        REQUIRE(swap.kind == what::swap);
        CHECK(bytes_of(swap.messages) == Approx(8 * 1000.0 * (ranks - 1) / ranks));
        CHECK(std::ranges::count(kinds(s), what::gather) < 40);
    }
}

TEST_CASE("calls of nothing and of less than ranks do no harm", "[phases]")
{
    for (const std::size_t n : {0u, 1u, 3u})
        for (const skeleton kind : {skeleton::map, skeleton::scan, skeleton::filter, skeleton::sort}) {
            const recording r =
                one_call(recipe_of(kind, {slot_kind::element, slot_kind::element}), {vector(n), vector(n)}, {0, 1});
            const replayed all = replay(r, 5, {"", 1, network()});
            CHECK(all.us >= 0);
            CHECK(all.held_bytes <= 16);
        }
}

TEST_CASE("a stencil over ranks takes what one counts by hand", "[replay]")
{
    // 400 rows of 100 doubles: 40 us in all at 1 ns each; a row is 800 bytes. Tasks cost too much for edges.
    recording r = steps(400, 100, 10, border_rule::constant);
    r.costs[0].fixed_us = 10;
    const replay_options how{"", 1, network()};
    CHECK(replay(r, 1, how).us == Approx(10 * (10 + 40)));
    const replayed two = replay(r, 2, how);
    CHECK(two.us == Approx(10 * (10 + 20 + 11.6)));
    CHECK(two.share_us == Approx(10 * (10 + 20)));
    CHECK(two.sent_messages == 10);
    CHECK(two.sent_bytes == 8000);
    CHECK(two.held_bytes == 2 * 200 * 100 * 8 + 800);
    // Who has two neighbours sends a second message after 1 + 0.8 + 0.4 us, and gets two.
    const double four = replay(r, 4, how).us;
    CHECK(four > 10 * (10 + 10 + 11.6));
    CHECK(four <= 10 * (10 + 10 + 11.6 + 2.2));
    CHECK(four - replay(r, 4, {"", 2, network()}).us == Approx(10 * (5 + 5)));
    CHECK_THROWS_WITH(replay(r, 4, {"cuda", 1, network()}), Contains("has no time of it on cuda"));
}

TEST_CASE("ranks make several steps a pass, as they would", "[replay]")
{
    recording r = steps(400, 100, 48, border_rule::constant);
    r.costs[0].fixed_us = 20; // too much for edges
    const replay_options how{"", 1, network()};
    const auto by_steps = replay(r, 4, how);
    CHECK(by_steps.sent_messages == 2 * 48);
    // Parts have 100 lines: 1 + 100 / 8 steps repeat little, and the devices like 8.
    r.iterations = {{0, 48, 8, 64, false}};
    network_peaks quick = network();
    quick.message_us.value = 1e-6; // so that messages wish for no more
    const auto for_caches = replay(r, 4, {"", 1, quick});
    CHECK(for_caches.sent_messages == 2 * 6);
    CHECK(for_caches.sent_bytes == by_steps.sent_bytes);
    CHECK(for_caches.held_bytes == by_steps.held_bytes + 7 * 2 * 800);
    // In a pass of 8 a rank computes 28 lines more at each side with others, 100 of 0.1 us without.
    CHECK(for_caches.share_us == Approx(6 * (20 + 0.1 * (8 * 100 + 2 * 28))));
    // A message of 10 us is worth as many lines of 0.1 us as sqrt(10 / 0.1).
    CHECK(replay(r, 4, how).sent_messages == 2 * 5);
    CHECK(replay(r, 4, how).us < by_steps.us);
    // 40 ranks of 10 lines make 10 steps at most; a rank alone has no messages.
    CHECK(replay(r, 40, how).sent_messages == 2 * 5);
    CHECK(replay(r, 100, how).sent_messages == 2 * 12);
    CHECK(replay(r, 1, how).us == Approx(48 * 40 + 6 * 20));
    r.iterations = {{0, 48, 5, 5, true}}; // SKELRT_STEPS
    CHECK(replay(r, 4, {"", 1, quick}).sent_messages == 2 * 10);
    r.iterations = {{0, 48, 1, 1, false}}; // what moves with the grid forbids it
    CHECK(replay(r, 4, how).sent_messages == 2 * 48);
    r.iterations = {{0, 24, 5, 5, true}, {24, 24, 5, 5, true}};
    CHECK(replay(r, 4, how).sent_messages == 2 * 10);
}

TEST_CASE("edges that go first hide messages in a replay", "[replay]")
{
    // Ranks of 100 lines of 10 us each, and messages of 100.
    recording r = steps(400, 10000, 20, border_rule::constant);
    network_peaks slow = network();
    slow.message_us.value = 100;
    const double share_us = 100 * 10;
    const replayed with_edges = replay(r, 4, {"", 1, slow});
    CHECK(with_edges.us < 20 * (share_us + 60));
    CHECK(with_edges.us >= 20 * share_us);
    CHECK(with_edges.sent_messages == 2 * 20);
    r.costs[0].fixed_us = 100; // two more tasks cost more than they hide
    CHECK(replay(r, 4, {"", 1, slow}).us >= 20 * (share_us + 200));
}

TEST_CASE("as many lines a rank take as long on any number of ranks", "[replay]")
{
    const recording r = steps(500, 101, 5, border_rule::cyclic);
    const replay_options how{"cpu", 1, network()};
    const double few = replay(grown(r, 3), 3, how).us;
    for (const unsigned ranks : {16u, 100u})
        CHECK(replay(grown(r, ranks), ranks, how).us ==
              Approx(few).epsilon(0.02)); // ends of ranks differ in what comes first
}

TEST_CASE("fifty steps on a thousand ranks are played call by call", "[replay]")
{
    const recording r = grown(steps(500, 4001, 50, border_rule::constant), 1024);
    const replayed all = replay(r, 1024, {"", 1, network()});
    CHECK(all.sent_messages == 100);
    CHECK(all.share_us == Approx(50 * 500 * 4001 * 1e-3));
}

TEST_CASE("an exchange says what it promises", "[phases]")
{
    const exchange x{{{1, {0, 11}}}, {{1, {11, 11}}, {2, {11, 11}}}, 11};
    const auto out = messages_from(0, x, 8), in = messages_to(0, x, 8);
    CHECK(describe_messages(3, out, in, network()) ==
          "sends 2 messages of 176 bytes, gets 1 of 88, promised in 11.3 us");
    CHECK_THAT(describe_messages(3, out, in, {}), Contains("on a network that nobody has measured"));
}
