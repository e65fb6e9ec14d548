// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/launch/repeats.hpp"

#include <catch2/catch.hpp>

#include <random>
#include <vector>

using namespace skelrt::detail::cuda;
using launches = std::vector<std::uint64_t>;

TEST_CASE("the period of a sequence of launches", "[cuda][graphs]")
{
    CHECK(period_of(launches{}) == 0);
    CHECK(period_of(launches{1}) == 0);
    CHECK(period_of(launches{1, 1}) == 1);
    CHECK(period_of(launches{1, 2, 1}) == 0); // more than half
    CHECK(period_of(launches{1, 2, 1, 2, 1}) == 2);
    CHECK(period_of(launches{1, 1, 2, 1, 1, 2, 1}) == 3);
    CHECK(period_of(launches{1, 1, 2, 1, 1, 3}) == 0);
}

TEST_CASE("known sequences are followed launch by launch", "[cuda][graphs]")
{
    known_sequences known;
    known.add(launches{1, 2, 3}, 0);
    known.add(launches{1, 2, 3, 1, 2, 3}, 1);
    const auto follow = [&](const launches& all) {
        std::uint64_t beginning = 0;
        for (const std::uint64_t l : all) beginning = known_sequences::behind(beginning, l);
        return known.find(beginning);
    };
    CHECK(follow({1}).known);
    CHECK(follow({1}).goes_on);
    CHECK(follow({1}).complete == -1);
    CHECK(follow({1, 2, 3}).complete == 0);
    CHECK(follow({1, 2, 3}).goes_on);
    CHECK(follow({1, 2, 3, 1, 2, 3}).complete == 1);
    CHECK_FALSE(follow({1, 2, 3, 1, 2, 3}).goes_on);
    CHECK_FALSE(follow({2}).known);
    CHECK_FALSE(follow({2, 1, 3}).known);
}

TEST_CASE("a sequence is wanted once it was seen often", "[cuda][graphs]")
{
    using parts = std::vector<sighted_sequences::part>;
    sighted_sequences sighted;
    const launches whole{9, 8, 7, 6}, short_one{1, 2, 3};
    for (int i = 0; i < 2; ++i) {
        CHECK(sighted.see(whole, 3).empty());
        CHECK(sighted.see(short_one, 1).empty()); // not worth it
    }
    CHECK(sighted.see(whole, 3) == parts{{0, 4}});
    CHECK(sighted.see(whole, 3).empty()); // it is known by now
}

TEST_CASE("batches with a period share their parts, wherever they begin", "[cuda][graphs]")
{
    using parts = std::vector<sighted_sequences::part>;
    sighted_sequences sighted;
    const launches from_1{1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2}, from_4{4, 5, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2};
    CHECK(sighted.see(from_1, 4).empty());                   // five launches twice, ten once
    CHECK(sighted.see(from_4, 4) == parts{{2, 5}, {2, 10}}); // five four times
    CHECK(sighted.see(from_1, 4).empty());                   // they are known by now
    CHECK(sighted.see(launches(32, 7), 8) == parts{{0, 4}, {0, 8}, {0, 16}, {0, 32}});
}

TEST_CASE("launches that never repeat are not counted for ever", "[cuda][graphs]")
{
    sighted_sequences sighted;
    std::mt19937_64 random(1);
    for (int i = 0; i < 10'000; ++i) CHECK(sighted.see(launches{random(), random(), random(), random()}, 2).empty());
}
