// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/files/records.hpp"

#include <catch2/catch.hpp>

using namespace skelrt::detail;

namespace
{

history sample(std::int64_t from, double us)
{
    history h;
    h[0xabcdef].name = "map (saxpy.cpp:12)";
    for (std::int64_t t = 0; t < 3; ++t) h[0xabcdef][executor::team].add({1000, us, from + t});
    h[0xabcdef][executor::cuda].add({1 << 20, us / 10, from});
    return h;
}

std::string text_of(const history& h)
{
    records r;
    r.models = h;
    return to_json(r, "m");
}

bool same(const history& a, const history& b) { return text_of(a) == text_of(b); }

} // namespace

TEST_CASE("histories merge, in any order and any number of times", "[history]")
{
    const history a = sample(100, 10), b = sample(102, 20);
    history ab = a, ba = b;
    merge(ab, b), merge(ab, b), merge(ab, a);
    merge(ba, a);
    REQUIRE(same(ab, ba));
    REQUIRE(ab.at(0xabcdef)[executor::team].runs().size() == 6);
}

TEST_CASE("a codelet is shown where it stood last", "[history]")
{
    history older = sample(100, 10), newer = sample(100, 20);
    newer[0xabcdef].name = "map (saxpy.cpp:14)";
    history ab = older, ba = newer;
    merge(ab, newer), merge(ba, older);
    REQUIRE(ab.at(0xabcdef).name == "map (saxpy.cpp:14)");
    REQUIRE(ba.at(0xabcdef).name == "map (saxpy.cpp:14)");
}

TEST_CASE("what nobody uses any more is dropped first", "[history]")
{
    history h;
    for (std::uint64_t k = 0; k < 10; ++k) h[k][executor::team].add({10, 1, static_cast<std::int64_t>(k)});
    prune(h, 3);
    REQUIRE(h.size() == 3);
    REQUIRE(h.contains(9));
    REQUIRE_FALSE(h.contains(6));
}
