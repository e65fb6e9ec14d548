// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/times/model.hpp"

#include <catch2/catch.hpp>

using namespace skelrt::detail;

namespace
{

models known;

/// A recipe that nobody else observes.
recipe& fresh()
{
    static std::uint64_t next = 1'000'000;
    auto& r = *new recipe;
    r.key = next++;
    r.bytes_per_element = 12;
    return r;
}

} // namespace

TEST_CASE("without a run the guess is sane", "[model]")
{
    const recipe& r = fresh();
    const auto core = known.predict(r, executor::core, 1000, 5, 8), team = known.predict(r, executor::team, 1000, 5, 8),
               gpu = known.predict(r, executor::cuda, 1000, 5, 8);
    REQUIRE_FALSE(core.measured);
    REQUIRE(core.at(1000) > team.at(1000));
    REQUIRE(team.at(1000) > gpu.at(1000));
    REQUIRE(gpu.at(1000) > 0);
}

TEST_CASE("a stencil's results are guessed to go through the host's memory twice", "[model]")
{
    recipe& r = fresh();
    r.result_size = 6;
    const double map = known.predict(r, executor::core, 1000, -1, 8).at(1000);
    r.kind = skeleton::stencil;
    REQUIRE(known.predict(r, executor::core, 1000, -1, 8).at(1000) == Approx(1.5 * map));
}

TEST_CASE("a run is believed at once", "[model]")
{
    const recipe& r = fresh();
    known.observe(r, executor::team, 1000, 50);
    REQUIRE(known.predict(r, executor::team, 1000, 5, 8).measured);
    REQUIRE(known.predict(r, executor::team, 1000, 5, 8).at(1000) == Approx(50));
    REQUIRE_FALSE(known.predict(r, executor::cuda, 1000, 5, 8).measured);
}

TEST_CASE("one wild run moves nothing", "[model]")
{
    const recipe& r = fresh();
    for (int i = 0; i < 5; ++i) known.observe(r, executor::cuda, 1 << 20, 190);
    known.observe(r, executor::cuda, 1 << 20, 100'000);
    REQUIRE(known.predict(r, executor::cuda, 1 << 20, 5, 8).at(1 << 20) == Approx(190));
}

TEST_CASE("drift is followed", "[model]")
{
    const recipe& r = fresh();
    for (int i = 0; i < 100; ++i) known.observe(r, executor::cuda, 4096, 10);
    for (int i = 0; i < 7; ++i) known.observe(r, executor::cuda, 4096, 20);
    REQUIRE(known.predict(r, executor::cuda, 4096, 5, 8).at(4096) == Approx(20));
}

TEST_CASE("the sizes on both sides count", "[model]")
{
    const recipe& r = fresh();
    known.observe(r, executor::core, 1000, 100);
    known.observe(r, executor::core, 1'000'000, 10'000);
    REQUIRE(known.predict(r, executor::core, 1000, 5, 8).at(1000) == Approx(100));
    REQUIRE(known.predict(r, executor::core, 500'000, 5, 8).at(500'000) == Approx(5000).epsilon(0.02));
}

TEST_CASE("an estimate knows how many calls ago it was measured", "[model]")
{
    const recipe& r = fresh();
    const auto stale = [&](executor on) { return known.predict(r, on, 1000, 5, 8).stale; };
    REQUIRE(stale(executor::cuda) == 0);
    for (int i = 0; i < 3; ++i) {
        known.count_call(r);
        known.observe(r, executor::team, 1000, 50);
    }
    REQUIRE(stale(executor::team) == 0);
    REQUIRE(stale(executor::cuda) == 3); // never measured
    known.count_call(r);
    known.observe(r, executor::cuda, 1000, 5);
    REQUIRE(stale(executor::team) == 1);
    REQUIRE(stale(executor::cuda) == 0);
}

TEST_CASE("a kind that has nothing to do is tried once the calls since then have paid for it", "[model]")
{
    const recipe& r = fresh();
    std::uint64_t call = 0;
    // So many calls until the first in which the GPU is tried: it may cost as much as `loss` calls.
    const auto calls_until_try = [&](double loss) {
        for (int calls = 1; calls <= 10'000; ++calls) {
            known.count_call(r);
            if (known.is_worth_a_try(r, executor::cuda, ++call, loss * 50, 50)) return calls;
        }
        return 0;
    };
    known.observe(r, executor::cuda, 1000, 50);
    REQUIRE(calls_until_try(3) == 300);
    REQUIRE(known.is_worth_a_try(r, executor::cuda, call, 150, 50)); // asked for the next worker
    REQUIRE_FALSE(known.is_worth_a_try(r, executor::cuda, call + 1, 150, 50));
    REQUIRE(calls_until_try(3) == 300); // the policy did not take it
    known.observe(r, executor::cuda, 1000, 50);
    REQUIRE_FALSE(known.is_worth_a_try(r, executor::cuda, call, 150, 50));
    REQUIRE(calls_until_try(-1) == long_idle); // nothing to lose, and still not each time
    REQUIRE(calls_until_try(1000) == 0);
}

TEST_CASE("what earlier processes learnt counts as measured", "[model]")
{
    const recipe& r = fresh();
    history h;
    h[r.key].name = "map";
    h[r.key][executor::team].add({1000, 50, 1});
    known.learn(h);
    known.learn(h);
    REQUIRE(known.predict(r, executor::team, 1000, 5, 8).measured);
    REQUIRE(known.predict(r, executor::team, 1000, 5, 8).at(1000) == Approx(50));
    REQUIRE(known.runs().at(r.key)[executor::team].runs().size() == 1);
}

TEST_CASE("nonsense is no observation", "[model]")
{
    const recipe& r = fresh();
    known.observe(r, executor::cuda, 0, 10);
    known.observe(r, executor::cuda, 10, 0);
    known.observe(r, executor::cuda, 10, -1);
    REQUIRE_FALSE(known.predict(r, executor::cuda, 10, 5, 8).measured);
}

TEST_CASE("a run that is right puts earlier ones right", "[model]")
{
    const recipe& r = fresh();
    for (int i = 0; i < 7; ++i) known.observe(r, executor::core, 1000, 1);
    known.correct(r, executor::core, 1000, 4000);
    REQUIRE(known.measured_us(r, executor::core, 1000) == Approx(4000));
    REQUIRE(known.measured_us(r, executor::core, 2000) == Approx(8000));
}

TEST_CASE("runs of a few elements tell nothing of many", "[model]")
{
    const recipe& r = fresh();
    REQUIRE_FALSE(known.measured_us(r, executor::core, 1));
    known.observe(r, executor::core, 2, 0.06);
    REQUIRE(known.measured_us(r, executor::core, 16) == Approx(0.48));
    REQUIRE_FALSE(known.measured_us(r, executor::core, 17));
    REQUIRE_FALSE(known.measured_us(r, executor::team, 2));
    known.observe(r, executor::core, 1000, 0.2);
    REQUIRE(known.measured_us(r, executor::core, 1'000'000) == Approx(140).epsilon(0.5));
    known.forget();
    REQUIRE_FALSE(known.measured_us(r, executor::core, 2));
}
