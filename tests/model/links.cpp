// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/machine/links.hpp"

#include <catch2/catch.hpp>

#include <cmath>

using namespace skelrt::detail;

TEST_CASE("a link brings at least what calls saw it bring, but for one of them", "[links]")
{
    links known;
    CHECK(known.seen(3) == 0);
    known.note(3, 100e6, 2000); // 50 GB/s
    CHECK(known.seen(3) == 0);
    known.note(3, 40e6, 1000);
    CHECK(known.seen(3) == 40e3);
    known.note(3, 45e6, 1000);
    CHECK(known.seen(3) == 45e3);
    known.note(3, 1e6, 1000); // waited for something else
    CHECK(known.seen(3) == 45e3);
    CHECK(known.seen(4) == 0);
}

TEST_CASE("what makes no sense teaches nothing of links", "[links]")
{
    links known;
    for (const double nonsense : {0.0, -1.0, std::nan("")}) {
        known.note(3, 1e6, nonsense);
        known.note(3, nonsense, 1e3);
        known.note(3, nonsense, 1e3);
        CHECK(known.seen(3) == 0);
    }
}
