// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/recipe_key.hpp"
#include "src/model/times/model.hpp"

#include <skelrt/algorithms/detail/own_function.hpp>
#include <skelrt/skelrt.hpp>

#include <catch2/catch.hpp>

#include <deque>

namespace sk = skelrt;
using namespace skelrt::detail;

namespace
{

/// The recipe of a call on one vector.
template <class Map>
const recipe& recipe_of(const Map& f)
{
    const sk::vector<float> x(8, 1.0f);
    return map_site(f(x)).what;
}

bool share_a_model(const recipe& a, const recipe& b)
{
    models known;
    known.observe(a, executor::team, 1000, 50);
    return known.predict(b, executor::team, 1000, 5, 8).measured;
}

/// The key of f(x), changed.
template <class Change>
std::uint64_t key_with(Change change)
{
    static const function_source f{"(float x) { return recipe_key_helper(x); }", "a.cpp", 12};
    recipe r;
    r.slots = {{slot_kind::element, "float", 4, 4}, {slot_kind::element, "float", 4, 4}};
    r.calls = {{&f, "float", 4, {{argument_kind::slot, 0}}}};
    r.root = {argument_kind::call, 0};
    r.result = "float";
    r.result_size = 4;
    change(r);
    return key_of(r);
}

} // namespace

TEST_CASE("functions of equal text share models wherever they stand, those of another text do not", "[keys]")
{
    const recipe& here = recipe_of(sk::map(SKELRT_FN((float x) { return x * 1.25f; })));
    const recipe& below = recipe_of(sk::map(SKELRT_FN((float x) { return x * 1.25f; })));
    const recipe& other = recipe_of(sk::map(SKELRT_FN((float x) { return x * 1.5f; })));
    REQUIRE(here.name != below.name); // they show where they stand
    REQUIRE(share_a_model(here, below));
    REQUIRE_FALSE(share_a_model(here, other));
}

TEST_CASE("what changes the time changes the key", "[keys]")
{
    const std::uint64_t plain = key_with([](recipe&) {});
    REQUIRE(key_with([](recipe&) {}) == plain);
    REQUIRE(key_with([](recipe& r) { r.name = "another name"; }) == plain);
    REQUIRE(key_with([](recipe& r) { r.kind = skeleton::reduce; }) != plain);
    REQUIRE(key_with([](recipe& r) { r.slots[0].type = "double"; }) != plain);
    REQUIRE(key_with([](recipe& r) { r.slots[0].kind = slot_kind::vec; }) != plain);
    REQUIRE(key_with([](recipe& r) { r.calls[0].arguments[0].which = 1; }) != plain);
    REQUIRE(key_with([](recipe& r) { r.calls.push_back(r.calls[0]); }) != plain);
    REQUIRE(key_with([](recipe& r) { r.exclusive = true; }) != plain);
    REQUIRE(key_with([](recipe& r) { r.combine = r.calls[0].function; }) != plain);
    REQUIRE(key_with([](recipe& r) { r.stencil.rank = 1; }) != plain);
    const std::uint64_t near = key_with([](recipe& r) { r.stencil = {1, false, {0, 0, 1}, {0, 0, 1}}; });
    REQUIRE(key_with([](recipe& r) { r.stencil = {1, false, {0, 0, 2}, {0, 0, 1}}; }) != near);
}

TEST_CASE("functions of equal text that call different functions do not share models", "[keys]")
{
    static const char *const a = "a", *const b = "b", *const c = "c"; // translation units
    const auto define = [](const char* text, const char* unit) {
        const source_facts facts{"", text, unit, 0};
        register_shared({text, "a.cpp", 1, nullptr, nullptr, &facts});
    };
    define("inline float recipe_key_helper(float x) { return x + 1; }", a);
    define("inline float recipe_key_helper(float x) { return x + 2; }", b);
    define("inline float recipe_key_helper(float x) { return x + 1; }", c);
    const auto in_unit = [](const char* unit) {
        return key_with([&](recipe& r) {
            static std::deque<function_source> sources;
            static std::deque<source_facts> facts;
            const char* text = r.calls[0].function->text;
            const source_facts* known = &facts.emplace_back(source_facts{"", text, unit, 1});
            r.calls[0].function = &sources.emplace_back(function_source{text, "a.cpp", 3, nullptr, nullptr, known});
        });
    };
    REQUIRE(in_unit(a) != in_unit(b));
    REQUIRE(in_unit(a) == in_unit(c));
}

TEST_CASE("functions of ours: the key goes by the operator that they call, wherever it stands", "[keys]")
{
    const auto key_calling = [](const char* op, int line) {
        const function_source& kept = *keep_source({op, "a.cpp", line});
        const char* text = text_with_operator("($0 x) { return $op(x, 1); }", kept, "float", "float");
        const function_source ours{text, "sk::lower_bound", 1};
        return key_with([&](recipe& r) { r.calls[0].function = &ours; });
    };
    const auto less = key_calling("(auto a, auto b) { return a < b; }", 3);
    CHECK(less == key_calling("(auto a, auto b) { return a < b; }", 7));
    CHECK(less != key_calling("(auto a, auto b) { return b < a; }", 3));
}

TEST_CASE("functions of ours that call several operators: the key goes by each, in its place", "[keys]")
{
    const auto key_calling = [](const char* first, const char* second) {
        const char* text = text_that_combines(
            "float", {{keep_source({first, "a.cpp", 3}), "float"}, {keep_source({second, "a.cpp", 4}), "float"}});
        const function_source ours{text, "sk::together", 1};
        return key_with([&](recipe& r) { r.calls[0].function = &ours; });
    };
    const char *const less = "(auto a, auto b) { return a < b ? a : b; }", *const sum =
                                                                               "(auto a, auto b) { return a + b; }";
    CHECK(key_calling(less, sum) == key_calling(less, sum)); // under other words
    CHECK(key_calling(less, sum) != key_calling(sum, less));
    CHECK(key_calling(less, less) != key_calling(less, sum));
}
