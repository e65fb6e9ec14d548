// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/checks/strict_order.hpp"

#include <catch2/catch.hpp>

#include <string>

using namespace skelrt::detail;
using Catch::Contains;

namespace
{

template <class Before>
std::optional<std::string> broken(std::size_t n, Before before)
{
    return broken_order(n, before, [](std::size_t i) { return "e" + std::to_string(i); });
}

} // namespace

TEST_CASE("a strict weak order is none that is broken", "[order]")
{
    CHECK_FALSE(broken(9, [](std::size_t a, std::size_t b) { return a < b; }));
    CHECK_FALSE(broken(9, [](std::size_t a, std::size_t b) { return a % 3 < b % 3; }));
    CHECK_FALSE(broken(9, [](std::size_t, std::size_t) { return false; }));
    CHECK_FALSE(broken(1, [](std::size_t, std::size_t) { return true; }));
}

TEST_CASE("what breaks an order is named", "[order]")
{
    const auto each_first = broken(4, [](std::size_t a, std::size_t b) { return a / 2 <= b / 2; });
    REQUIRE(each_first);
    CHECK(*each_first == "e0 is before e1, and e1 before e0");
    const auto round = broken(3, [](std::size_t a, std::size_t b) { return (a + 1) % 3 == b; });
    REQUIRE(round);
    CHECK(*round == "e0 is before e1, e1 before e2, but e0 not before e2");
    const auto near = broken(3, [](std::size_t a, std::size_t b) { return a + 1 < b; });
    REQUIRE(near);
    CHECK(*near == "neither of e0 and e1 is before the other, nor of e1 and e2, but e0 is before e2");
}
