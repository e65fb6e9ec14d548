// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/times/recent_times.hpp"

#include <catch2/catch.hpp>

#include <initializer_list>

namespace
{

using skelrt::detail::recent_times;

double usual(std::initializer_list<double> times)
{
    recent_times t;
    for (const double us : times) t.add(us);
    return t.get();
}

} // namespace

TEST_CASE("what something usually takes is told by its last times", "[recent_times]")
{
    CHECK(usual({}) == recent_times::never);
    CHECK(usual({50}) == 50);
    CHECK(usual({50, 12, 10, 11}) == 10);                         // one had something to build
    CHECK(usual({50, 12, 10, 11, 13}) == 11);                     // the luckiest does not count
    CHECK(usual({50, 12, 10, 11, 13, 9, 14}) == 11);              // nor do the two luckiest
    CHECK(usual({10, 10, 10, 20, 20, 20, 20, 20, 20, 20}) == 20); // seven are kept
    CHECK(usual({10, 30, 10, 30, 10, 30, 30}) == 30);             // it takes turns, and counts by the worse place
}

TEST_CASE("what was before counts no more once it begins anew", "[recent_times]")
{
    recent_times t;
    for (int i = 0; i < 7; ++i) t.add(10);
    t.begin_anew();
    CHECK(t.get() == 10); // nothing else is known yet
    t.add(25);
    CHECK(t.get() == 25);
}
