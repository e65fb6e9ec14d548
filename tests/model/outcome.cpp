#include "src/model/outcome.hpp"

#include <catch2/catch.hpp>

#include <limits>

using namespace skelrt::detail;

TEST_CASE("how calls turn out is remembered by recipe, size and who had them", "[outcome]")
{
    forget_outcomes();
    REQUIRE(turned_out({7, 1000, 1000}, 0) == 1);
    for (int i = 0; i < 20; ++i) note_outcome({7, 1000, 1000}, 0, 2);
    REQUIRE(turned_out({7, 1000, 1000}, 0) == Approx(2).epsilon(0.01));
    REQUIRE(turned_out({7, 1020, 1020}, 0) == turned_out({7, 1000, 1000}, 0)); // about the same size
    REQUIRE(turned_out({7, 3000, 3000}, 0) == 1);
    REQUIRE(turned_out({7, 1000, 1000}, shared_out) == 1);
    REQUIRE(turned_out({8, 250, 1000}, 0) == turned_out({7, 1000, 1000}, 0)); // others on as many bytes are a hint
    REQUIRE(turned_out({8, 1000, 4000}, 0) == 1);
}

TEST_CASE("outcomes follow what happens, and one wild call does not rule", "[outcome]")
{
    forget_outcomes();
    for (int i = 0; i < 20; ++i) note_outcome({1, 100, 100}, shared_out, 1.5);
    note_outcome({1, 100, 100}, shared_out, 1e9);
    REQUIRE(turned_out({1, 100, 100}, shared_out) < 4);
    for (int i = 0; i < 20; ++i) note_outcome({1, 100, 100}, shared_out, 1.5);
    REQUIRE(turned_out({1, 100, 100}, shared_out) == Approx(1.5).epsilon(0.01));
}

TEST_CASE("what is not tried again is believed less and less", "[outcome]")
{
    forget_outcomes();
    for (int i = 0; i < 20; ++i) note_outcome({1, 100, 100}, 1, 4);
    for (int i = 0; i < 100; ++i) note_outcome({1, 100, 100}, 0, 1);
    const double later = turned_out({1, 100, 100}, 1);
    REQUIRE(later < 4);
    REQUIRE(later > 1.5);
    for (int i = 0; i < 2000; ++i) note_outcome({1, 100, 100}, 0, 1);
    REQUIRE(turned_out({1, 100, 100}, 1) == Approx(1).epsilon(0.01));
}

TEST_CASE("ratios that mean nothing are not kept", "[outcome]")
{
    forget_outcomes();
    for (const double silly :
         {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
        note_outcome({1, 100, 100}, 0, silly);
    REQUIRE(turned_out({1, 100, 100}, 0) == 1);
}
