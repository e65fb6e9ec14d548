// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/models.hpp"

#include <catch2/catch.hpp>

using namespace skelrt;
using detail::executor;

TEST_CASE("the line through a single size goes on to both sides", "[plot]")
{
    detail::curve c;
    for (int i = 0; i < 5; ++i) c.add({1000, 104, i});
    const auto line = tool::predictions(c, executor::cuda);
    REQUIRE(line.size() > 2);
    REQUIRE(line.front().elements == 500);
    REQUIRE(line.back().elements == 2000);
    REQUIRE(line.front().us == Approx(54)); // 4 us to start a kernel, 0.1 us an element
    REQUIRE(line.back().us == Approx(204));
}

TEST_CASE("the line goes through what was measured", "[plot]")
{
    detail::curve c;
    c.add({1024, 10, 1});
    c.add({4096, 40, 2});
    const auto line = tool::predictions(c, executor::team);
    const auto at = std::ranges::lower_bound(line, 4096.0, {}, &detail::run::elements);
    REQUIRE(at->us == Approx(40).epsilon(0.05));
    REQUIRE(std::ranges::is_sorted(line, {}, &detail::run::us));
    REQUIRE(tool::predictions({}, executor::team).empty());
}
