#include "src/model/model.hpp"

#include <catch2/catch.hpp>

using namespace skelrt::detail;

namespace
{

/// A recipe that nobody else observes.
recipe& fresh()
{
    static std::uint32_t next = 1'000'000;
    auto& r = *new recipe;
    r.id = next++;
    r.bytes_per_element = 12;
    return r;
}

} // namespace

TEST_CASE("without a run the guess is sane", "[model]")
{
    const recipe& r = fresh();
    const auto core = predict(r, executor::core, 1000, 5, 8), team = predict(r, executor::team, 1000, 5, 8),
               gpu = predict(r, executor::cuda, 1000, 5, 8);
    REQUIRE_FALSE(core.measured);
    REQUIRE(core.at(1000) > team.at(1000));
    REQUIRE(team.at(1000) > gpu.at(1000));
    REQUIRE(gpu.at(1000) > 0);
}

TEST_CASE("a run is believed at once", "[model]")
{
    const recipe& r = fresh();
    observe(r, executor::team, 1000, 50);
    REQUIRE(predict(r, executor::team, 1000, 5, 8).measured);
    REQUIRE(predict(r, executor::team, 1000, 5, 8).at(1000) == Approx(50));
    REQUIRE_FALSE(predict(r, executor::cuda, 1000, 5, 8).measured);
}

TEST_CASE("one wild run moves nothing", "[model]")
{
    const recipe& r = fresh();
    for (int i = 0; i < 5; ++i) observe(r, executor::cuda, 1 << 20, 190);
    observe(r, executor::cuda, 1 << 20, 100'000);
    REQUIRE(predict(r, executor::cuda, 1 << 20, 5, 8).at(1 << 20) == Approx(190));
}

TEST_CASE("drift is followed", "[model]")
{
    const recipe& r = fresh();
    for (int i = 0; i < 100; ++i) observe(r, executor::cuda, 4096, 10);
    for (int i = 0; i < 7; ++i) observe(r, executor::cuda, 4096, 20);
    REQUIRE(predict(r, executor::cuda, 4096, 5, 8).at(4096) == Approx(20));
}

TEST_CASE("the nearest size counts", "[model]")
{
    const recipe& r = fresh();
    observe(r, executor::cuda, 1000, 100);         // 0.1 us an element
    observe(r, executor::cuda, 1'000'000, 10'000); // 0.01
    REQUIRE(predict(r, executor::cuda, 2000, 5, 8).element_us == Approx(0.1));
    REQUIRE(predict(r, executor::cuda, 500'000, 5, 8).element_us == Approx(0.01));
}

TEST_CASE("nonsense is no observation", "[model]")
{
    const recipe& r = fresh();
    observe(r, executor::cuda, 0, 10);
    observe(r, executor::cuda, 10, 0);
    observe(r, executor::cuda, 10, -1);
    REQUIRE_FALSE(predict(r, executor::cuda, 10, 5, 8).measured);
}
