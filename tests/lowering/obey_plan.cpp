// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/plan/told.hpp"

#include <catch2/catch.hpp>

using namespace skelrt;
using namespace skelrt::detail;
using groups = std::vector<plan_group>;

namespace
{

const std::vector<unsigned> in_order{0, 1, 2};
const std::vector<std::size_t> long_runs{1000, 1000, 1000};

groups obeyed(std::vector<plan_share> shares, std::vector<std::size_t> elements)
{
    return obey({0, plan::any_size, std::move(shares)}, in_order, elements, long_runs);
}

} // namespace

TEST_CASE("one device does all, in so many tasks as the plan asks for", "[obey]")
{
    const std::vector<std::size_t> eight(8, 100);
    REQUIRE(obeyed({{device::cpu}}, eight) == groups{{0, 0, 8}});
    REQUIRE(obeyed({{device::cuda, 1, 0, 3}}, eight) == groups{{0, 0, 2}, {0, 2, 3}, {0, 5, 3}});
    REQUIRE(obeyed({{device::cuda, 1, 0, 99}}, eight).size() == 8); // no finer than the tiles
}

TEST_CASE("parts end at the nearest end of a segment", "[obey]")
{
    const std::vector<std::size_t> ten(10, 7);
    REQUIRE(obeyed({{device::cuda, 0.3}, {device::cpu, 0.7}}, ten) == groups{{0, 0, 3}, {1, 3, 7}});
    REQUIRE(obeyed({{device::cuda, 0.34}, {device::cpu, 0.66}}, ten) == groups{{0, 0, 3}, {1, 3, 7}});
    REQUIRE(obeyed({{device::cuda, 0.36}, {device::cpu, 0.64}}, ten) == groups{{0, 0, 4}, {1, 4, 6}});
    REQUIRE(obeyed({{device::cuda, 0.01}, {device::cpu, 0.99}}, ten) == groups{{1, 0, 10}});
    REQUIRE(obeyed({{device::cuda, 0.7}, {device::cpu, 0.3}}, {42}) == groups{{0, 0, 1}});
    REQUIRE(obeyed({{device::cuda, 0.2}, {device::cuda, 0.3, 1}, {device::cpu, 0.5}}, ten) ==
            groups{{0, 0, 2}, {1, 2, 3}, {2, 5, 5}});
}

TEST_CASE("segments of different sizes count by their elements", "[obey]")
{
    REQUIRE(obeyed({{device::cuda, 0.5}, {device::cpu, 0.5}}, {90, 10, 10, 10, 10, 10, 10, 10, 10, 10}) ==
            groups{{0, 0, 1}, {1, 1, 9}});
}

TEST_CASE("no task takes more segments than the device may", "[obey]")
{
    const std::vector<std::size_t> ten(10, 7), short_runs{4};
    REQUIRE(obey({0, plan::any_size, {{device::cuda}}}, in_order, ten, short_runs) ==
            groups{{0, 0, 3}, {0, 3, 3}, {0, 6, 4}});
}
