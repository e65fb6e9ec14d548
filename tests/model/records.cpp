// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/files/records.hpp"

#include <skelrt/error.hpp>

#include <catch2/catch.hpp>

#include <string>

using namespace skelrt::detail;
using Catch::Contains;

namespace
{

constexpr std::uint64_t saxpy = 0xabcdef;
const strategy_key here{"cpu 0 some CPU in memory 0; cuda 0 some GPU in memory 1", {saxpy, 17, ~std::uint64_t{0}}, 3};

/// Something of everything.
records sample(std::int64_t when, double us)
{
    records r;
    r.models[saxpy].name = "map (saxpy.cpp:12)";
    for (std::int64_t t = 0; t < 3; ++t) r.models[saxpy][executor::team].add({1000, us, when + t});
    r.models[saxpy][executor::cuda].add({1 << 20, us / 10, when});
    r.usage[saxpy] = {{0.25, true, {3, 100}}, when};
    r.usage[saxpy + 1] = {{0.5, {}, {7}}, when};
    r.links["cuda 0 some GPU"] = {{us * 1000, us * 999}, when};
    r.strategies[here] = {{40,
                           {{"the planner", {30, us, us / 2, 0, start_record{saxpy, 17, 4}}},
                            {"35 % CUDA", {10, us / 3, us / 4, us / 5, {}}}},
                           us * 2},
                          when};
    return r;
}

bool same(const records& a, const records& b) { return to_json(a, "m") == to_json(b, "m"); }

std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

/// A file of the format before, of models alone.
const std::string models_alone = "{\"skelrt_models\": 1, \"machine\": \"node\",\n"
                                 " \"runs\": \"elements, microseconds, when: microseconds since 1970\",\n"
                                 " \"codelets\": [\n"
                                 "{\"key\":\"0000000000abcdef\",\"name\":\"map (saxpy.cpp:12)\","
                                 "\"team\":[[1000,12.5,7],[1000,13.5,8]],\"cuda\":[[5,1.5,9]]}\n"
                                 "]}\n";

} // namespace

TEST_CASE("what was learnt comes back from its file", "[records]")
{
    const records all = sample(1'700'000'000'000'000, 12.345);
    const records back = records_from_json(to_json(all, "node"), "node");
    REQUIRE(same(all, back));
    REQUIRE(back.models.at(saxpy).name == "map (saxpy.cpp:12)");
    REQUIRE(back.models.at(saxpy)[executor::team].runs() == all.models.at(saxpy)[executor::team].runs());
    REQUIRE(back.usage == all.usage);
    REQUIRE(back.links == all.links);
    REQUIRE(back.strategies == all.strategies);
    REQUIRE(same(records_from_json(to_json({}, "node")), {}));
}

TEST_CASE("what a program or a machine is called may be anything", "[records]")
{
    records r = sample(1, 1);
    r.models[saxpy].name = "map (\"\xff\n.cpp:1)";
    r.links["cuda 0 \"\xff\n"] = {{1, 1}, 1};
    REQUIRE(records_from_json(to_json(r, "no\"de"), "no\"de").links.size() == 2);
}

TEST_CASE("a file of models alone, of the format before, loses no run", "[records]")
{
    const records old = records_from_json(models_alone, "node");
    REQUIRE(old.models.at(saxpy)[executor::team].runs().size() == 2);
    REQUIRE(old.models.at(saxpy)[executor::cuda].runs() == std::vector<run>{{5, 1.5, 9}});
    REQUIRE(old.usage.empty());
    const std::string now = to_json(old, "node");
    REQUIRE_THAT(now, Contains("\"skelrt_models\": 2"));
    REQUIRE(same(records_from_json(now), old));
}

TEST_CASE("records merge, in any order and any number of times; the newer one is right", "[records]")
{
    records one = sample(100, 10), other = sample(102, 20);
    one.usage[1] = {{0.5, true, {}}, 5};
    other.links["cuda 1 another"] = {{3, 2}, 5};
    records ab = one, ba = other;
    merge(ab, other), merge(ab, other), merge(ab, one);
    merge(ba, one);
    REQUIRE(same(ab, ba));
    REQUIRE(ab.models.at(saxpy)[executor::team].runs().size() == 6);
    REQUIRE(ab.strategies == other.strategies);
    REQUIRE(ab.usage.contains(1));
    REQUIRE(ab.links.size() == 2);
}

TEST_CASE("of what changed at one moment, all processes keep the same", "[records]")
{
    records one, other;
    one.usage[saxpy] = {{0.25, true, {}}, 7};
    other.usage[saxpy] = {{0.75, true, {}}, 7};
    records ab = one, ba = other;
    merge(ab, other);
    merge(ba, one);
    REQUIRE(ab.usage == ba.usage);
}

TEST_CASE("what changed longest ago is dropped first, and no file outgrows its bounds", "[records]")
{
    records r;
    for (std::uint64_t k = 0; k < 10; ++k) {
        const auto when = static_cast<std::int64_t>(k < 5 ? 1 : 2); // many things have one date
        r.usage[k] = {{}, when};
        r.links["cuda " + std::to_string(k)] = {{1, 1}, when};
        r.strategies[{"cpu", {k, 1, 1}, 1}] = {{}, when};
    }
    prune(r, {.codelets = 1, .usage = 3, .links = 6, .strategies = 2});
    REQUIRE(r.usage.size() == 3);
    REQUIRE(r.links.size() == 6);
    REQUIRE(r.strategies.size() == 2);
    for (const auto& [key, usage] : r.usage) REQUIRE(usage.when == 2);
    prune(r);
    REQUIRE(r.usage.size() == 3);
}

TEST_CASE("a recipe is forgotten with all that is known of it", "[records]")
{
    records r = sample(1, 1);
    REQUIRE(forget(r, [](std::uint64_t, const codelet_runs& c) { return c.name == "nobody"; }) == 0);
    REQUIRE(same(r, sample(1, 1)));
    REQUIRE(forget(r, [](std::uint64_t key, const codelet_runs&) { return key == saxpy; }) == 1);
    REQUIRE(r.models.empty());
    REQUIRE(r.usage.size() == 1);
    REQUIRE(r.strategies.empty());
    REQUIRE(r.links.size() == 1);
}

TEST_CASE("files that make no sense are refused, with the reason", "[records]")
{
    const std::string good = to_json(sample(5, 10), "node");
    const auto refused = [&](const std::string& from, const std::string& to, const std::string& why) {
        CAPTURE(from, to);
        REQUIRE_THROWS_WITH(records_from_json(replaced(good, from, to)), Contains(why));
    };
    REQUIRE_THROWS_WITH(records_from_json("", ""), Contains("no file of models"));
    REQUIRE_THROWS_WITH(records_from_json(good.substr(0, good.size() / 2)), Contains("no file of models"));
    REQUIRE_THROWS_WITH(records_from_json("[1, 2]"), Contains("no file of models"));
    REQUIRE_THROWS_WITH(records_from_json(good, "other"), Contains("machine node") && Contains("this is other"));
    refused("\"skelrt_models\": 2", "\"skelrt_models\": 3", "version 3");
    refused("\"skelrt_models\": 2", "\"skelrt_models\": 3", "reads version 2");
    refused("[1000,10.0,5]", "[1000,-10.0,5]", "no sense");
    refused("[1000,10.0,5]", "[0,10.0,5]", "no sense");
    refused("0000000000abcdef", "xyz", "hexadecimal");
    refused("\"home\":0.25", "\"home\":1.5", "no sense");
    refused("\"best\":10000.0", "\"best\":-1", "no sense");
    refused("\"us\":10.0", "\"us\":0", "no sense");
    refused("\"when\":5", "\"when\":-5", "no sense");
    refused("\"strategies\"", "\"strategy\"", "no file of models");
}
