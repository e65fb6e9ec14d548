// SPDX-License-Identifier: BSD-3-Clause
#include "src/farm/items/claims.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <thread>
#include <vector>

/// Who gets which items: as data.

using skelrt::detail::item_claims;

TEST_CASE("pieces follow each other, and cover all items once", "[claims]")
{
    const auto [items, threads] =
        GENERATE(table<std::size_t, unsigned>({{0, 1}, {1, 1}, {1, 64}, {1000, 1}, {100'000, 3}}));
    item_claims claims(items);
    std::size_t next = 0;
    for (auto p = claims.claim(threads); !p.empty(); p = claims.claim(threads)) {
        REQUIRE(p.begin == next);
        next = p.end;
        claims.learn(p, 1);
    }
    REQUIRE(next == items);
    REQUIRE_FALSE(claims.any_left());
}

TEST_CASE("pieces grow while they are short, and shrink when they are long and towards the end", "[claims]")
{
    item_claims claims(1'000'000);
    for (int k = 0; k < 5; ++k) claims.learn(claims.claim(2), 10);
    REQUIRE(claims.grain() == 32);
    const auto p = claims.claim(2);
    REQUIRE(p.size() == 32);
    claims.learn(p, 1000);
    REQUIRE(claims.grain() == 16);
    item_claims few(10);
    for (int k = 0; k < 10; ++k) few.learn({0, few.grain()}, 0);
    REQUIRE(few.claim(2).size() == 2); // of ten for two threads, in two rounds
}

TEST_CASE("a row grows by its limit, and ends when it is closed", "[claims]")
{
    item_claims claims(2);
    REQUIRE_FALSE(claims.claim(1).empty());
    REQUIRE_FALSE(claims.claim(1).empty());
    REQUIRE(claims.claim(1).empty());
    claims.widen(4);
    REQUIRE(claims.claim(1).begin == 2);
    REQUIRE(claims.close() == 3);
    REQUIRE(claims.close() == 3);
    REQUIRE(claims.claim(1).empty());
    REQUIRE_FALSE(claims.any_left());
    REQUIRE_FALSE(claims.claim_up_to({3, 4}));
}

TEST_CASE("several threads share all items, each once", "[claims]")
{
    constexpr std::size_t items = 200'000;
    constexpr unsigned threads = 4;
    item_claims claims(items);
    std::vector<std::atomic<int>> times(items);
    std::vector<std::thread> all;
    for (unsigned t = 0; t < threads; ++t)
        all.emplace_back([&] {
            for (auto p = claims.claim(threads); !p.empty(); p = claims.claim(threads)) {
                for (std::size_t i = p.begin; i < p.end; ++i) ++times[i];
                claims.learn(p, 1);
            }
        });
    for (std::thread& t : all) t.join();
    for (const auto& n : times) REQUIRE(n == 1);
}
