// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/knowledge.hpp"

#include "src/model/files/record_writer.hpp"

#include <skelrt/detail/element_costs.hpp>

#include <catch2/catch.hpp>

#include <cmath>

using namespace skelrt::detail;

namespace
{

const std::vector<known_device> cpu_and_gpu{{"cpu 0 some CPU", 0}, {"cuda 0 some GPU", 1}};
constexpr std::uint64_t first_key = 0x10, second_key = 0x20;
std::vector<std::uint64_t> keys_of_two() { return {first_key, second_key}; }

/// A program that calls recipe 1, whose results go home, on two devices; one episode of each way.
void run_program(knowledge& k, double us)
{
    recipe r;
    r.key = second_key;
    r.name = "map";
    k.models.observe(r, executor::team, 1000, us);
    k.usage.note_home(1, true);
    k.usage.note_run(1, 3);
    k.links.note(1, 1e6, 100);
    k.links.note(1, 1e6, 100);
    const episode_start start{1, 17, 4};
    book_place place;
    for (int i = 0; i < 4; ++i) {
        const auto b = k.strategies.begin(start, place);
        k.strategies.note(start, place, b.way, 1, us, {}, 0);
    }
}

void begin(knowledge& k, const std::vector<known_device>& devices = cpu_and_gpu)
{
    k.begin(devices);
    k.strategies.begin_anew({1, {}}, {"the planner", "the cores"});
}

records written(knowledge& k) { return k.write_down(k.usage.all()); }

} // namespace

TEST_CASE("what is learnt is written under names that the next process knows", "[knowledge]")
{
    knowledge k(&keys_of_two);
    begin(k);
    run_program(k, 50);
    const records r = written(k);
    CHECK(r.models.at(second_key)[executor::team].runs().size() == 1);
    REQUIRE(r.usage.size() == 1);
    CHECK(r.usage.at(second_key).what.usually_home == true);
    CHECK(r.usage.at(second_key).what.runs == std::vector<std::size_t>{3});
    REQUIRE(r.links.size() == 1);
    CHECK(r.links.at("cuda 0 some GPU").what == link_record{1e4, 1e4});
    const strategy_key key{"cpu 0 some CPU in memory 0; cuda 0 some GPU in memory 1", {second_key, 17, 4}, 1};
    REQUIRE(r.strategies.size() == 1);
    const strategy_record& s = r.strategies.at(key).what;
    CHECK(s.episodes == 4);
    CHECK(s.ways.at("the planner").us == 50);
    CHECK(s.ways.at("the planner").next == start_record{second_key, 17, 4});
}

TEST_CASE("only what changed is news, and gets a new date", "[knowledge]")
{
    records r;
    const std::vector<std::uint64_t> keys = keys_of_two();
    std::vector<usage::habit> habits(2);
    habits[1].usually_home = true;
    std::vector<known_device> devices = cpu_and_gpu;
    devices.push_back({"cuda 1 in no time", 2});
    const auto write_at = [&](std::int64_t now) {
        record_writer w(r, keys, devices, now);
        w.write(habits);
        w.write(std::vector<links::rates>{{}, {20, 10}, {HUGE_VAL, 1}});
        return w.news();
    };
    CHECK(write_at(100) == 2); // recipe 0 and the cores tell nothing, the third link no sense
    CHECK(write_at(200) == 0);
    CHECK(r.usage.at(second_key).when == 100);
    habits[1].home = 0.25f;
    CHECK(write_at(300) == 1);
    CHECK(r.usage.at(second_key).when == 300);
    CHECK(r.links.at("cuda 0 some GPU").when == 100);
}

TEST_CASE("numbers that nobody knows the names of are not written", "[knowledge]")
{
    records r;
    const std::vector<std::uint64_t> keys = keys_of_two();
    record_writer w(r, keys, cpu_and_gpu, 1);
    w.write(std::vector<usage::habit>(3, {0.5f, true, {}, 0}));
    w.write(std::vector<links::rates>(3, {2, 1}));
    w.write(strategies::snapshot{{{{2, 1, 1}, 1, 5, {{0, 5, 1, 1, 1, {}}}, 1}}, {"the planner"}});
    CHECK(r.usage.size() == 2);
    CHECK(r.links.size() == 2);
    CHECK(r.strategies.empty());
}

TEST_CASE("what earlier processes learnt is recalled when it comes up, and kept beside what is learnt now",
          "[knowledge]")
{
    knowledge earlier(&keys_of_two), k(&keys_of_two);
    begin(earlier);
    run_program(earlier, 50);
    records from = written(earlier);
    from.links["cuda 7 gone"] = {{1, 1}, 1};
    begin(k);
    k.learn(from);
    CHECK(to_json(written(k), "m") == to_json(from, "m"));
    CHECK(k.usage.usually_goes_home(1));
    CHECK(k.usage.goes_home(0) == 0.5);
    CHECK(k.usage.usual_run(1) == 3);
    CHECK(k.links.seen(1) == 1e4);
    CHECK(k.links.seen(0) == 0);
    std::uint64_t before = 0, after = 0;
    k.write_down(k.usage.all(), &before);
    k.write_down(k.usage.all(), &after);
    CHECK(before == after); // what is recalled is no news
    run_program(k, 70);
    const records now = written(k);
    CHECK(now.links.contains("cuda 7 gone"));
    CHECK(now.strategies.begin()->second.what.episodes == 8);
    CHECK(now.strategies.begin()->second.what.ways.at("the planner").us == 70);
    CHECK(now.models.at(second_key)[executor::team].runs().size() == 2);
}

TEST_CASE("the first episode of the next process goes the way that was best", "[knowledge]")
{
    const episode_start start{1, 17, 4};
    const auto run = [&](knowledge& k, std::size_t episodes) {
        std::vector<std::size_t> ways;
        book_place place;
        for (std::size_t i = 0; i < episodes; ++i) {
            const auto b = k.strategies.begin(start, place);
            ways.push_back(b.way);
            const std::vector<double> predicted{100, 60};
            k.strategies.note(start, place, b.way, 1, b.way == 0 ? 100 : 50, predicted, 0);
        }
        return ways;
    };
    knowledge earlier(&keys_of_two), k(&keys_of_two), elsewhere(&keys_of_two);
    begin(earlier);
    CHECK(run(earlier, 40).back() == 1);
    begin(k);
    k.learn(written(earlier));
    CHECK(run(k, 3) == std::vector<std::size_t>(3, 1));
    k.forget();
    CHECK(run(k, 1).front() == 0);
    begin(elsewhere, {{"cpu 0 some CPU", 0}, {"cuda 0 another GPU", 1}});
    elsewhere.learn(written(earlier));
    CHECK(run(elsewhere, 1).front() == 0);
}

TEST_CASE("of a way that earlier processes never took the planner tells first what to expect", "[knowledge]")
{
    const episode_start start{1, 17, 4};
    records from;
    strategy_record& s = from.strategies[{text_of(cpu_and_gpu), {second_key, 17, 4}, 1}].what;
    s.episodes = 5;
    s.ways["the planner"] = {4, 100, 100, 0, start_record{0x99, 1, 1}}; // followed by what nobody has met
    knowledge k(&keys_of_two);
    begin(k);
    k.learn(from);
    book_place place;
    const auto first = k.strategies.begin(start, place);
    CHECK(first.way == 0);
    CHECK(first.wants_predictions);
    k.strategies.note(start, place, 0, 1, 100, std::vector<double>{100, 60}, 0);
    CHECK(k.strategies.begin(start, place).way == 1); // promises so much that it is tried at once
}

namespace
{

/// Of a process that knows what earlier ones learnt.
void begin_with_gpu(knowledge& k, const records& learnt)
{
    k.begin(cpu_and_gpu);
    k.strategies.begin_anew({2, {}, 2, 1, 1}, {"the planner", "the cores", "CUDA"});
    k.learn(learnt);
}

/// A process whose episodes take the planner, which uses a GPU the first time, 4612 us, and the cores 1600, as models
/// say; the way that the first one went.
std::size_t run_process(records& learnt, std::size_t episodes)
{
    const std::vector<double> us{4612, 1600, 4000}, predicted{204, 1530, 180};
    knowledge k(&keys_of_two);
    begin_with_gpu(k, learnt);
    std::vector<std::size_t> ways;
    book_place place;
    for (std::size_t i = 0; i < episodes; ++i) {
        const episode_start start{1, 17, i};
        const auto b = k.strategies.begin(start, place);
        ways.push_back(b.way);
        k.strategies.note(start, place, b.way, 23, us[b.way],
                          b.wants_predictions ? std::span<const double>(predicted) : std::span<const double>(), 0);
    }
    learnt = written(k);
    return ways.front();
}

std::vector<std::size_t> ways_of_processes(const std::vector<std::size_t>& episodes)
{
    records learnt;
    std::vector<std::size_t> ways;
    for (const std::size_t n : episodes) ways.push_back(run_process(learnt, n));
    return ways;
}

} // namespace

TEST_CASE("the second process of one episode tries the cores if they promise less than the first one took",
          "[knowledge]")
{
    CHECK(ways_of_processes({1, 1, 1, 1}) == std::vector<std::size_t>{0, 1, 1, 1});
    // What the first of several pays for the others nobody knows.
    CHECK(ways_of_processes({2, 2, 2, 2}) == std::vector<std::size_t>(4, 0));
    CHECK(ways_of_processes({2, 1}) == std::vector<std::size_t>{0, 0});
}

TEST_CASE("a GPU that is better by little is used once as much was lost as its first use takes", "[knowledge]")
{
    const double gains = GENERATE(50, 100, 4000), first_use = 3000;
    const std::vector<double> us{200, 100 + gains, 100}, predicted{200, 100 + gains, 100}; // planner, cores, GPU
    const episode_start start{1, 17, 0};
    records learnt;
    const auto run = [&](double first_use_us, int episodes = 100) {
        knowledge k(&keys_of_two);
        begin_with_gpu(k, learnt);
        int before = 0;
        book_place place;
        for (int i = 0; i < episodes; ++i) {
            const auto b = k.strategies.begin(start, place, first_use_us);
            if (b.way == 2) first_use_us = 0;
            if (first_use_us > 0) ++before;
            if (b.looked_at) k.strategies.note(start, place, b.way, 1, us[b.way], predicted, 0);
            else k.strategies.note_length(start, 1);
        }
        learnt = written(k);
        return before;
    };
    run(0);
    CHECK(run(first_use) <= 1); // the last process had enough of them to pay for it; one may be a trial
    run(0, 5);
    const double expected = first_use / gains;
    CHECK(run(first_use) >= expected - 1);
    CHECK(run(first_use) <= expected + 20); // trials of the cores, and of the planner
}

TEST_CASE("saving goes by news", "[knowledge]")
{
    knowledge k(&keys_of_two);
    begin(k);
    std::uint64_t before = 0, after = 0, later = 0;
    k.write_down(k.usage.all(), &before);
    run_program(k, 50);
    k.write_down(k.usage.all(), &after);
    k.write_down(k.usage.all(), &later);
    CHECK(before < after);
    CHECK(after == later);
}

TEST_CASE("all is forgotten at once", "[knowledge]")
{
    knowledge k(&keys_of_two);
    begin(k);
    run_program(k, 50);
    written(k);
    element_costs copy(2);
    copy.set(1000, 5);
    const unsigned before = k.strategies.forgotten();
    k.forget();
    CHECK(to_json(written(k), "m") == to_json({}, "m"));
    CHECK(k.usage.goes_home(1) == 0.5);
    CHECK(k.links.seen(1) == 0);
    CHECK(k.strategies.times({1, 17, 4}).empty());
    CHECK(k.strategies.forgotten() == before + 1);
    CHECK(!copy.of(1000).known());
}

TEST_CASE("a second runtime goes on, but with other devices their numbers mean nothing", "[knowledge]")
{
    knowledge k(&keys_of_two);
    begin(k);
    run_program(k, 50);
    begin(k);
    CHECK(k.links.seen(1) > 0);
    CHECK(k.strategies.times({1, 17, 4}).empty());
    begin(k, {{"cpu 0 some CPU", 0}, {"opencl 0 another", 1}});
    CHECK(k.links.seen(1) == 0);
    CHECK(k.usage.goes_home(1) > 0.5); // which is of programs
    const records all = written(k);
    CHECK(all.links.contains("cuda 0 some GPU"));
    CHECK(all.strategies.size() == 1);
}

TEST_CASE("devices are known by kind, number and product", "[knowledge]")
{
    machine m{"node", {assumed_cpu(8), assumed_device("cuda", 1)}};
    m.devices[0].name = "some CPU, 8 cores";
    m.devices[1].name = "CUDA 1.0 (NVIDIA H100 80GB HBM3 00:06.0)";
    std::vector<target> targets(2);
    targets[1].node = 3;
    const auto known = known_devices(targets, m);
    CHECK(known == std::vector<known_device>{{"cpu 0 some CPU, 8 cores", 0}, {"cuda 1 NVIDIA H100 80GB HBM3", 3}});
    CHECK(text_of(known) == "cpu 0 some CPU, 8 cores in memory 0; cuda 1 NVIDIA H100 80GB HBM3 in memory 3");
}
