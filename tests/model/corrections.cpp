// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/corrections.hpp"

#include <catch2/catch.hpp>

#include <limits>

using namespace skelrt::detail;

TEST_CASE("how calls turn out is remembered by recipe, size and who had them", "[corrections]")
{
    corrections known;
    REQUIRE(known.turned_out({7, 1000, 1000}, 0) == 1);
    for (int i = 0; i < 20; ++i) known.note({7, 1000, 1000}, 0, 2);
    REQUIRE(known.turned_out({7, 1000, 1000}, 0) == Approx(2).epsilon(0.01));
    REQUIRE(known.turned_out({7, 1020, 1020}, 0) == known.turned_out({7, 1000, 1000}, 0)); // about the same size
    REQUIRE(known.turned_out({7, 3000, 3000}, 0) == 1);
    REQUIRE(known.turned_out({7, 1000, 1000}, shared_out) == 1);
    REQUIRE(known.turned_out({8, 250, 1000}, 0) ==
            known.turned_out({7, 1000, 1000}, 0)); // others on as many bytes are a hint
    REQUIRE(known.turned_out({8, 1000, 4000}, 0) == 1);
}

TEST_CASE("outcomes follow what happens, and one wild call does not rule", "[corrections]")
{
    corrections known;
    for (int i = 0; i < 20; ++i) known.note({1, 100, 100}, shared_out, 1.5);
    known.note({1, 100, 100}, shared_out, 1e9);
    REQUIRE(known.turned_out({1, 100, 100}, shared_out) < 4);
    for (int i = 0; i < 20; ++i) known.note({1, 100, 100}, shared_out, 1.5);
    REQUIRE(known.turned_out({1, 100, 100}, shared_out) == Approx(1.5).epsilon(0.01));
}

TEST_CASE("what is not tried again is believed less and less", "[corrections]")
{
    corrections known;
    for (int i = 0; i < 20; ++i) known.note({1, 100, 100}, 1, 4);
    for (int i = 0; i < 100; ++i) known.note({1, 100, 100}, 0, 1);
    const double later = known.turned_out({1, 100, 100}, 1);
    REQUIRE(later < 4);
    REQUIRE(later > 1.5);
    for (int i = 0; i < 2000; ++i) known.note({1, 100, 100}, 0, 1);
    REQUIRE(known.turned_out({1, 100, 100}, 1) == Approx(1).epsilon(0.01));
}

TEST_CASE("ratios that mean nothing are not kept", "[corrections]")
{
    corrections known;
    for (const double silly :
         {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
        known.note({1, 100, 100}, 0, silly);
    REQUIRE(known.turned_out({1, 100, 100}, 0) == 1);
}
