// SPDX-License-Identifier: BSD-3-Clause
#include "src/farm/pipelines/ready_tokens.hpp"
#include "src/farm/pipelines/stage_gate.hpp"
#include "src/farm/pipelines/token_window.hpp"

#include <catch2/catch.hpp>

#include <cstddef>

/// Who may be in which stage, and how many tokens there are: as data.

using namespace skelrt::detail;

TEST_CASE("a gate for one lets tokens in as they come", "[tokens]")
{
    stage_gate gate(gate_order::of_arrival, 1, 4);
    CHECK(gate.enter(3, 0));
    CHECK_FALSE(gate.enter(1, 1));
    CHECK_FALSE(gate.enter(2, 2));
    CHECK(gate.leave().next == 1u);
    CHECK(gate.leave().next == 2u);
    CHECK_FALSE(gate.leave().next);
    CHECK(gate.enter(0, 3));
}

TEST_CASE("a gate for some lets in so many", "[tokens]")
{
    stage_gate gate(gate_order::of_arrival, 2, 4);
    CHECK(gate.enter(0, 0));
    CHECK(gate.enter(1, 1));
    CHECK_FALSE(gate.enter(2, 2));
    CHECK(gate.leave().next == 2u);
    CHECK_FALSE(gate.leave().next);
    CHECK(gate.enter(3, 3));
    CHECK_FALSE(gate.enter(0, 4));
}

TEST_CASE("a gate in order keeps all others waiting until it is their turn", "[tokens]")
{
    stage_gate gate(gate_order::of_numbers, 1, 4);
    CHECK_FALSE(gate.enter(7, 1));
    CHECK_FALSE(gate.enter(5, 3));
    CHECK(gate.enter(9, 0));
    CHECK(gate.leave().next == 7u);
    CHECK_FALSE(gate.leave().next); // 2 is missing
    CHECK(gate.enter(1, 2));
    CHECK(gate.leave().next == 5u);
    CHECK_FALSE(gate.enter(2, 5)); // around the ring
    CHECK_FALSE(gate.leave().next);
    CHECK(gate.enter(3, 4));
    CHECK(gate.leave().next == 2u);
}

TEST_CASE("a thread hands a gate over after some tokens in a row", "[tokens]")
{
    constexpr std::size_t n = stage_gate::most_in_a_row;
    stage_gate gate(gate_order::of_arrival, 1, 2 * n);
    for (std::size_t k = 0; k <= n + 1; ++k) CHECK(gate.enter(k, k) == (k == 0));
    for (std::size_t k = 1; k < n; ++k) CHECK_FALSE(gate.leave().hands_over);
    CHECK(gate.leave().hands_over);
    CHECK_FALSE(gate.leave().hands_over);
}

TEST_CASE("a window has so many places, one source, and one end", "[tokens]")
{
    token_window window(2);
    const auto first = window.begin();
    REQUIRE(first);
    CHECK_FALSE(window.can_begin()); // somebody is in the source
    window.filled();
    const auto second = window.begin();
    REQUIRE(second);
    CHECK(*first != *second);
    window.filled();
    CHECK_FALSE(window.begin()); // full
    CHECK_FALSE(window.end(*first));
    const auto third = window.begin();
    REQUIRE(third);
    CHECK_FALSE(window.not_filled(*third));
    CHECK_FALSE(window.can_begin()); // closed
    CHECK(window.end(*second));
    CHECK_FALSE(window.close()); // told once
}

TEST_CASE("a window that is closed ends with its last token", "[tokens]")
{
    token_window empty(1), other(1);
    CHECK(empty.close());
    const auto place = other.begin();
    CHECK_FALSE(other.close());
    other.filled();
    CHECK_FALSE(other.can_begin());
    CHECK(other.end(*place));
}

TEST_CASE("tokens that are ready are taken once, the oldest first", "[tokens]")
{
    ready_tokens ready(3);
    CHECK_FALSE(ready.take());
    for (std::size_t k = 0; k < 7; ++k) {
        ready.put(k);
        ready.put(k + 10);
        CHECK(ready.take() == k);
        CHECK(ready.take() == k + 10);
    }
    CHECK_FALSE(ready.any());
}
