// SPDX-License-Identifier: BSD-3-Clause
#include <skelrt/detail/element_costs.hpp>

#include "src/program/timed_sample.hpp"

#include <catch2/catch.hpp>

#include <initializer_list>

using skelrt::detail::element_costs;
using skelrt::detail::timed_sample;
using lesson = element_costs::lesson;

namespace
{

/// What remains of 10 ns after calls of 100 elements that took so long.
float after(std::initializer_list<double> took, unsigned patience = 2)
{
    element_costs c(patience);
    c.set(100, 10);
    for (const double ns : took) c.note(100, ns);
    return c.of(100).ns;
}

} // namespace

TEST_CASE("an element's cost is of an order of size", "[element_costs]")
{
    element_costs c(2);
    CHECK_FALSE(c.of(1).known());
    c.set(1, 30);
    CHECK(c.of(1).ns == 30);
    CHECK_FALSE(c.of(2).known());
    c.set(1000, 0.125);
    CHECK(c.of(600).ns == 0.125f);
    CHECK(c.of(1).ns == 30);
    CHECK_FALSE(c.of(1024).known());
    CHECK(c.of(0).ns == 30); // as one
    c.set(~std::size_t{0}, 2);
    CHECK(c.of(~std::size_t{0}).ns == 2);
}

TEST_CASE("a few elements say nothing of many", "[element_costs]")
{
    element_costs c(2);
    CHECK(c.near(1000) < 0);
    c.set(1, 30);
    CHECK(c.near(8) == 30);
    CHECK(c.near(16) < 0);
    CHECK(c.near(1'000'000) < 0);
    c.set(64, 0.5);
    CHECK(c.near(1'000'000) == 0.5f);
    CHECK(c.near(2) == 0.5f);
    CHECK(c.near(1) == 30);
    c.set(5000, 0.25);
    CHECK(c.near(1000) == 0.25f); // larger calls know better
}

TEST_CASE("two timed calls in a row correct what is known", "[element_costs]")
{
    CHECK(after({500}) == 10); // it may have been interrupted
    CHECK(after({500, 10, 500, 10}) == 10);
    CHECK(after({500, 4000}) == 500);
    CHECK(after({4000, 500}) == 500);
    CHECK(after({1, 2}) == 1);
    CHECK(after({500, 1}) == 10); // they contradict each other
    CHECK(after({500, 1, 2}) == 1);
    CHECK(after({500, 500, 3, 3}) == 3);
}

TEST_CASE("who has to wake others up is given more time", "[element_costs]")
{
    CHECK(after({500, 400, 300}, 4) == 10);
    CHECK(after({500, 400, 300, 350}, 4) == 300);
    CHECK(after({500, 400, 300, 10, 350}, 4) == 10);
    CHECK(after({3, 2}, 4) == 2);
}

TEST_CASE("what is known follows calls that take about as long", "[element_costs]")
{
    CHECK(after({18}) == 11);
    CHECK(after({6}) == 9.5);
    CHECK(after({18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 18}) ==
          Approx(18).epsilon(0.05));
}

TEST_CASE("what a timed call teaches", "[element_costs]")
{
    element_costs c(2);
    CHECK(c.note(100, 10) == lesson::none); // nothing to compare with
    c.set(100, 10);
    c.set(3000, 7);
    CHECK_FALSE(c.of(100).sure());
    CHECK(c.note(100, 11) == lesson::confirmed);
    CHECK(c.of(100).sure());
    CHECK(c.note(100, 11) == lesson::none);
    CHECK(c.note(100, 30) == lesson::none);
    CHECK_FALSE(c.of(100).sure()); // so the next one is timed
    CHECK(c.of(3000).known());
    CHECK(c.note(100, 30) == lesson::corrected);
    CHECK(c.of(100).sure());
    CHECK_FALSE(c.of(3000).known()); // it came from the same model
}

TEST_CASE("what is left to others is tried when their calls have paid for it", "[element_costs]")
{
    element_costs c(2);
    int calls = 1;
    while (!c.is_worth_a_try(40, 20)) ++calls;
    CHECK(calls == 400);
    CHECK(c.is_worth_a_try(40, 20)); // as many as correct it
    CHECK_FALSE(c.is_worth_a_try(40, 20));
    CHECK(c.is_worth_a_try(-1, 20)); // no loss
}

TEST_CASE("all costs are forgotten at once", "[element_costs]")
{
    element_costs a(2), b(2);
    a.set(100, 10);
    b.set(100, 20);
    element_costs::forget_all();
    CHECK_FALSE(a.of(100).known());
    CHECK(b.near(100) < 0);
    a.set(5, 1);
    CHECK(a.of(5).ns == 1);
    CHECK_FALSE(a.of(100).known());
}

TEST_CASE("the first calls after a tick are timed", "[element_costs]")
{
    timed_sample s;
    const auto taken = [&](std::int64_t ticks, int calls) {
        int n = 0;
        for (int i = 0; i < calls; ++i) n += s.takes_next([&] { return ticks; });
        return n;
    };
    CHECK(taken(4, 1000) == 64);
    CHECK(taken(8, 10 + 1) >= 10); // each second looks at the clock
    CHECK(taken(12, 1000) >= 64);
    int long_calls = 0;
    for (int ticks = 16; ticks < 416; ticks += 4) long_calls += taken(ticks, 1);
    CHECK(long_calls > 90);
}
