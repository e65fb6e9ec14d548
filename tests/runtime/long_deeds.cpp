// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/lookout/long_deeds.hpp"

#include <catch2/catch.hpp>

#include <chrono>
#include <string>
#include <vector>

using namespace skelrt::detail;
using namespace std::chrono_literals;
using Catch::Contains;

namespace
{

const std::string map_name = "map (app.cpp:12)", wait_name = "wait for results", frames = "farm frames";
const int main_thread = 0, other_thread = 0, gpu = 0; ///< of which the addresses count

seen_deed deed_of(const int& by, std::uint32_t number, deed what, const std::string& name,
                  std::int16_t row = trace_record::own_thread)
{
    return {&by, number, what, &name, row, &by == &main_thread};
}

/// A watch that begins at 0 s, on a machine of a core and a GPU.
struct watched {
    long_deeds::clock::time_point begun{};
    long_deeds seen{2s, begun};
    watched() { seen.name_workers({"core 0", "CUDA 0"}); }
    std::string at(std::chrono::milliseconds when, const std::vector<seen_deed>& deeds, int tasks = 0)
    {
        return seen.look(deeds, tasks, begun + when);
    }
};

} // namespace

TEST_CASE("A deed is told once it has taken long, and each time that it has taken twice as long")
{
    watched w;
    const std::vector<seen_deed> call{deed_of(main_thread, 1, deed::call, map_name)};
    CHECK(w.at(100ms, call).empty());
    CHECK(w.at(2000ms, call).empty());
    CHECK(w.at(2100ms, call) == "still at work: main thread: map (app.cpp:12), 2 s");
    CHECK(w.at(4000ms, call).empty());
    CHECK(w.at(4600ms, call) ==
          "still at work: main thread: map (app.cpp:12), 4 s"); // twice as old, 2 s after the last
    CHECK(w.at(8000ms, call).empty());
    CHECK_THAT(w.at(9200ms, call), Contains("9 s"));
}

TEST_CASE("Short deeds that follow each other are never told, however alike they are")
{
    watched w;
    for (std::uint32_t i = 0; i < 100; ++i)
        CHECK(w.at(i * 500ms, {deed_of(main_thread, i, deed::call, map_name)}).empty());
}

TEST_CASE("What has ended and begun again is not as old as it was")
{
    watched w;
    CHECK(w.at(0ms, {deed_of(main_thread, 1, deed::call, map_name)}).empty());
    CHECK(w.at(1500ms, {}).empty());
    CHECK(w.at(2500ms, {deed_of(main_thread, 1, deed::call, map_name)}).empty());
    CHECK(w.at(3000ms, {deed_of(main_thread, 1, deed::call, map_name)}).empty());
}

TEST_CASE("A line says who does what, together where it is the same, and what is left")
{
    watched w;
    const std::vector<seen_deed> all{deed_of(main_thread, 7, deed::wait, wait_name),
                                     deed_of(other_thread, 3, deed::task, map_name, 0),
                                     deed_of(gpu, 2, deed::kernels, map_name, 1)};
    CHECK(w.at(0ms, all).empty());
    CHECK(
        w.at(3000ms, all, 12) ==
        "still at work: core 0 and 1 more: map (app.cpp:12), 3 s; main thread: wait for results, 3 s; 12 tasks to go");
    CHECK_THAT(w.at(9000ms, {deed_of(main_thread, 7, deed::wait, wait_name), deed_of(gpu, 4, deed::none, map_name, 1)}),
               Contains("9 s; CUDA 0 was last given map (app.cpp:12)"));
}

TEST_CASE("Kernels that are built are told, a team's tasks as all cores', items not at all")
{
    watched w;
    const std::vector<seen_deed> all{deed_of(other_thread, 3, deed::build, map_name),
                                     deed_of(gpu, 2, deed::task, wait_name, trace_record::team),
                                     deed_of(main_thread, 1, deed::item, frames)};
    CHECK(w.at(0ms, all).empty());
    CHECK(w.at(2000ms, all) ==
          "still at work: a thread: builds the kernels of map (app.cpp:12), 2 s; all cores: wait for results, 2 s");
}

TEST_CASE("Long programs are told of seldom")
{
    watched w;
    int lines = 0;
    for (std::uint32_t i = 0; i < 7200; ++i) // an hour of calls of 3 s
        lines += !w.at(i * 500ms, {deed_of(main_thread, i / 6, deed::call, map_name)}).empty();
    CHECK(lines > 10);
    CHECK(lines < 150);
}

TEST_CASE("Threads write down what they do, and go on with what they did around it")
{
    const auto mine = [] {
        std::vector<seen_deed> found;
        for (const seen_deed& s : look_at_deeds())
            if (s.is_main && s.what != deed::none) found.push_back(s);
        return found;
    };
    CHECK(mine().empty());
    {
        const doing nobody_looks(deed::call, &map_name);
        CHECK(mine().empty());
    }
    observe(observer::lookout);
    {
        const doing outer(deed::call, &map_name);
        REQUIRE(mine().size() == 1);
        const std::uint32_t number = mine()[0].number;
        {
            const doing inner(deed::wait, &wait_name);
            REQUIRE(mine().size() == 1);
            CHECK(mine()[0].name == &wait_name);
            CHECK(mine()[0].what == deed::wait);
        }
        REQUIRE(mine().size() == 1);
        CHECK(mine()[0].name == &map_name);
        CHECK(mine()[0].number != number);
    }
    CHECK(mine().empty());
    kernels_begin(3, map_name);
    kernels_begin(3, wait_name);
    kernels_end(3);
    const auto of_gpu = [] {
        for (const seen_deed& s : look_at_deeds())
            if (s.row == 3) return s;
        return seen_deed{};
    };
    CHECK(of_gpu().what == deed::kernels);
    kernels_end(3);
    CHECK(of_gpu().what == deed::none);
    CHECK(of_gpu().name == &wait_name);
    kernels_end(3); // one that began before anybody looked
    stop_observing(observer::lookout);
}
