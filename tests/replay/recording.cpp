// SPDX-License-Identifier: BSD-3-Clause
#include "tests/replay/made_up.hpp"

#include <skelrt/error.hpp>

#include <catch2/catch.hpp>

using namespace made_up;
using Catch::Contains;

TEST_CASE("a recording comes back from its text", "[recording]")
{
    recording r = steps(101, 37, 3, border_rule::nearest);
    r.recipes.push_back(recipe_of(skeleton::reduce, {slot_kind::vec, slot_kind::uniform, slot_kind::accumulator}));
    recorded_call c;
    c.recipe = 1;
    c.operands = {whole(r, 1), {}, {}};
    c.result = {std::size_t{0}, 5, 1, 2, 3, 4};
    c.kept = 7;
    r.calls.push_back(c);
    r.costs.push_back({1, 9, "cuda", 3.5, 0.25, false});
    r.iterations = {{0, 2, 8, 64, false}, {2, 1, 5, 5, true}};
    CHECK(recording_from(to_json_lines(r)) == r);
    CHECK(recording_from(to_json_lines({})) == recording{});
}

TEST_CASE("a text that is no recording is refused with its line", "[recording]")
{
    const std::string text = to_json_lines(steps(4, 4, 1, border_rule::constant));
    CHECK_THROWS_WITH(recording_from(""), Contains("it is empty"));
    CHECK_THROWS_WITH(recording_from("{\n"), Contains("line 1"));
    CHECK_THROWS_WITH(recording_from(text + "{\"call\": 0}\n"), Contains("no recording of calls: line"));
    CHECK_THROWS_WITH(recording_from(text + "{\"cost\": 3, \"evaluations\": 1, \"device\": \"team\", \"fixed_us\": 0, "
                                            "\"element_us\": 1, \"measured\": true}\n"),
                      Contains("recipe 3 is not there; there are 1"));
    const std::string limits = ", \"usual_steps\": 8, \"most_steps\": 8, \"told\": false}\n";
    CHECK_NOTHROW(recording_from(text + "{\"iteration\": [0, 1]" + limits));
    CHECK_THROWS_WITH(recording_from(text + "{\"iteration\": [0, 2]" + limits), Contains("call 1 is not there"));
    CHECK_THROWS_WITH(recording_from(text + "{\"iteration\": [0, 0]" + limits), Contains("makes no sense"));
    CHECK_THROWS_WITH(recording_from("{\"skelrt_calls\": 2}\n"), Contains("version 2"));
    CHECK_THROWS_WITH(read_recording("/nowhere/calls"), Contains("SKELRT_CALLS=FILE records one"));
}

TEST_CASE("data that grows with the ranks grows in its lines", "[recording]")
{
    const recording r = grown(steps(500, 4001, 2, border_rule::constant), 8);
    CHECK(r.containers[0] == matrix(4000, 4001));
    CHECK(r.calls[1].rows == 4000);
    CHECK(r.calls[1].operands[1] == whole(r, 0));
    const recording v = grown(
        one_call(recipe_of(skeleton::map, {slot_kind::element, slot_kind::element}), {vector(10), vector(10)}, {0, 1}),
        3);
    CHECK(v.calls[0].cols == 30);
    CHECK(v.calls[0].operands[0] == whole(v, 0));

    recording part = steps(8, 8, 1, border_rule::constant);
    part.calls[0].operands[0].offset = 8;
    CHECK_THROWS_WITH(grown(part, 2), Contains("on a part of a container of 8 x 8 elements"));
    recording columns = steps(8, 8, 1, border_rule::constant);
    columns.recipes[0].kind = skeleton::reduce_columns;
    CHECK_THROWS_WITH(grown(columns, 2), Contains("cannot grow"));
}
