#include "src/model/history.hpp"

#include <skelrt/error.hpp>

#include <catch2/catch.hpp>

using namespace skelrt::detail;
using Catch::Contains;

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

bool same(const history& a, const history& b) { return to_json(a, "m") == to_json(b, "m"); }

std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

} // namespace

TEST_CASE("a history comes back from its file", "[history]")
{
    const history h = sample(1'700'000'000'000'000, 12.345);
    const history back = history_from_json(to_json(h, "node"), "node");
    REQUIRE(same(h, back));
    REQUIRE(back.at(0xabcdef).name == "map (saxpy.cpp:12)");
    REQUIRE(back.at(0xabcdef)[executor::team].runs() == h.at(0xabcdef)[executor::team].runs());
    REQUIRE(same(history_from_json(to_json({}, "node")), {}));
}

TEST_CASE("what a program is called may be anything", "[history]")
{
    history h = sample(1, 1);
    h[0xabcdef].name = "map (\"\xff\n.cpp:1)";
    REQUIRE_NOTHROW(history_from_json(to_json(h, "no\"de"), "no\"de"));
}

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

TEST_CASE("files that make no sense are refused, with the reason", "[history]")
{
    const std::string good = to_json(sample(5, 10), "node");
    REQUIRE_THROWS_WITH(history_from_json("", ""), Contains("no file of models"));
    REQUIRE_THROWS_WITH(history_from_json(good.substr(0, good.size() / 2)), Contains("no file of models"));
    REQUIRE_THROWS_WITH(history_from_json("[1, 2]"), Contains("no file of models"));
    REQUIRE_THROWS_WITH(history_from_json(replaced(good, "\"skelrt_models\": 1", "\"skelrt_models\": 2")),
                        Contains("version 2") && Contains("reads version 1"));
    REQUIRE_THROWS_WITH(history_from_json(good, "other"), Contains("machine node") && Contains("this is other"));
    REQUIRE_THROWS_WITH(history_from_json(replaced(good, "[1000,10.0,5]", "[1000,-10.0,5]")), Contains("no sense"));
    REQUIRE_THROWS_WITH(history_from_json(replaced(good, "[1000,10.0,5]", "[0,10.0,5]")), Contains("no sense"));
    REQUIRE_THROWS_WITH(history_from_json(replaced(good, "0000000000abcdef", "xyz")), Contains("hexadecimal"));
}
