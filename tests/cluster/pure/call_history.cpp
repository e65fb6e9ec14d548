// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/call_history.hpp"
#include "src/cluster/tags.hpp"

#include <catch2/catch.hpp>

#include <set>

using namespace skelrt::detail;
using Catch::Matchers::Contains;
using Catch::Matchers::Equals;

namespace
{

void make_calls(call_history& h, unsigned n)
{
    for (unsigned k = 0; k < n; ++k) h.record(k, "map", {"folder/app.cpp", 37}, 500);
}

} // namespace

TEST_CASE("ranks with the same calls have the same hash, others have not", "[history]")
{
    call_history a, b, shorter, other;
    make_calls(a, 200);
    make_calls(b, 200);
    make_calls(shorter, 199);
    make_calls(other, 199);
    other.record(7, "map", {"app.cpp", 37}, 500);
    CHECK(a.hash() == b.hash());
    CHECK(a.hash() != shorter.hash());
    CHECK(a.hash() != other.hash());
    CHECK(a.calls() == 200);
    CHECK(a.newest().number == 200);
}

TEST_CASE("where ranks parted is said of both", "[history]")
{
    call_history a, b;
    make_calls(a, 117);
    make_calls(b, 117);
    a.record(1, "reduce", {"src/app.cpp", 41}, 1000);
    b.record(2, "map", {"src/app.cpp", 37}, 500, 3);
    make_calls(a, 3);
    make_calls(b, 5);
    CHECK_THAT(difference(0, a.last(), 3, b.last()),
               Equals("ranks diverged: rank 0 made call 118, reduce (app.cpp:41) of 1000 elements, rank 3 made call "
                      "118, map (app.cpp:37) of 500 x 3 elements; call 117 was the same on both. All ranks must make "
                      "the same calls; a value that steers them must be the same on all: see sk::agree"));
}

TEST_CASE("the same call with other numbers is said once", "[history]")
{
    call_history a, b;
    a.record(1, "map", {"app.cpp", 37}, 500);
    b.record(2, "map", {"app.cpp", 37}, 500);
    CHECK_THAT(difference(0, a.last(), 1, b.last()),
               Contains("ranks 0 and 1 made call 1, map (app.cpp:37) of 500 elements, with other numbers"));
}

TEST_CASE("a rank that waits where the other does not is told apart from other calls", "[history]")
{
    call_history a, b;
    make_calls(a, 10);
    make_calls(b, 12);
    CHECK_THAT(difference(0, a.last(), 1, b.last()),
               Contains("between rank 0 after call 10, map (app.cpp:37) of 500 elements, and rank 1 after call 12"));
    CHECK_THAT(difference(0, a.last(), 1, call_history().last()), Contains("rank 1 after no call yet"));
    CHECK_THAT(difference(0, a.last(), 1, std::uint64_t{9}), Contains("rank 1 has made 9 calls, not the same ones"));
}

TEST_CASE("what both have forgotten is not compared", "[history]")
{
    call_history a, b;
    a.record(1, "map", {"app.cpp", 1}, 1);
    b.record(2, "map", {"app.cpp", 2}, 1);
    make_calls(a, 100);
    make_calls(b, 100);
    CHECK_THAT(difference(0, a.last(), 1, b.last()),
               Contains("ranks 0 and 1 made call 38, map (app.cpp:37) of 500 elements"));
}

TEST_CASE("names and files of any length fit", "[history]")
{
    call_history h;
    h.record(1, "a skeleton with a name that is far too long",
             {"/a/folder/a_file_with_a_name_that_is_far_too_long.cpp", 3}, 1);
    CHECK_THAT(text_of(h.newest()), Contains("a skeleton with a name") && Contains("far_too_long.cpp:3"));
}

TEST_CASE("the place of a call is told once", "[history]")
{
    const auto text = [](const char* name, caller where) {
        call_history h;
        h.record(1, name, where, 5);
        return text_of(h.newest());
    };
    CHECK(text("map (app.cpp:41)", {"src/app.cpp", 41}) == "call 1, map (app.cpp:41) of 5 elements");
    CHECK(text("reduce (sk::plus, first at a.cpp:8)", {"a.cpp", 9}) ==
          "call 1, reduce (sk::plus) (a.cpp:9) of 5 elements");
    CHECK(text("map (operator +)", {"a.cpp", 9}) == "call 1, map (operator +) (a.cpp:9) of 5 elements");
    CHECK(text("reduce (sk::plus)", {"a.cpp", 9}) == "call 1, reduce (sk::plus) (a.cpp:9) of 5 elements");
    CHECK(text("map (app.cpp:41)", {}) == "call 1, map (app.cpp:41) of 5 elements");
    CHECK(text("scan (sk::inclusive_or_exclusive)", {"a.cpp", 9}) ==
          "call 1, scan (sk::inclusive_or) (a.cpp:9) of 5 elements");
}

TEST_CASE("messages of a call between two ranks have names of their own", "[history]")
{
    call_history h;
    std::set<std::int64_t> tags;
    constexpr unsigned calls = 20, messages = 50;
    for (unsigned c = 0; c < calls; ++c) {
        h.record(c, "stencil", {}, 10);
        for (unsigned m = 0; m < messages; ++m) {
            tags.insert(message_tag(h, m, 1, 2));
            tags.insert(message_tag(h, m, 2, 1));
        }
    }
    CHECK(tags.size() == 2 * calls * messages);
    CHECK(*tags.begin() > 0);
}
