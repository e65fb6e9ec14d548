// SPDX-License-Identifier: BSD-3-Clause
/// Farms that are started again and again are episodes of the book: by their place, how many items they have, and what
/// these work on. Exit code 77 without a second kind of device: then nothing chooses among ways.

#include "src/lowering/decide/episodes.hpp"
#include "src/lowering/engine.hpp"

#include "../plans/with_opencl.hpp"

#include <skelrt/farm.hpp>
#include <skelrt/skelrt.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

namespace sk = skelrt;
using namespace skelrt::detail;

namespace
{

const auto one_more = sk::map(SKELRT_FN((float x) { return x + 1; }));
const auto sum = sk::reduce(SKELRT_FN((float a, float b) { return a + b; }));

/// Of farms and other runs, in the book.
std::vector<episode_book::seen_episodes> runs_seen()
{
    std::vector<episode_book::seen_episodes> runs;
    for (auto& e : engine::current()->ground().book().all().episodes)
        if (e.start.recipe >= 1u << 31) runs.push_back(e);
    return runs;
}

/// Four items, each of `elements`, added up after one more for each.
void run_farm(std::size_t elements)
{
    const auto all = sk::farm([elements](int item) {
        const sk::vector<float> x(elements, static_cast<float>(item)), y = one_more(x);
        return sum(y);
    });
    const std::vector<float> sums = all(std::vector<int>{0, 1, 2, 3});
    for (int item = 0; item < 4; ++item)
        REQUIRE(sums[static_cast<std::size_t>(item)] == static_cast<float>(elements) * static_cast<float>(item + 1));
}

void forget() { engine::current()->ground().book().forget(); }

/// Runs it until the book has seen that; whether it did. On a busy machine the book does not hear of every run: calls
/// count as under way until a worker, which may have no core just then, has said that they are done.
template <class Run, class Seen>
bool is_seen(Run run, Seen seen)
{
    constexpr int most = 2'000;
    for (int round = 0; round < most; ++round) {
        run();
        if (seen(runs_seen())) return true;
    }
    return false;
}

auto has_episodes(std::size_t at_least)
{
    return [at_least](const std::vector<episode_book::seen_episodes>& runs) {
        return std::ranges::any_of(runs, [&](const auto& r) { return r.episodes >= at_least; });
    };
}

} // namespace

TEST_CASE("a farm that runs again is one kind of episode, whatever way it goes", "[run episodes]")
{
    forget();
    REQUIRE(is_seen([] { run_farm(10'000); }, has_episodes(5)));
    REQUIRE(runs_seen().size() <= 2); // the first run does not know yet what it will work on
}

TEST_CASE("a farm whose items leave calls under way ends when somebody has waited for them", "[run episodes]")
{
    forget();
    std::vector<sk::vector<float>> x, y(4);
    for (int k = 0; k < 4; ++k) x.emplace_back(2'000'000, static_cast<float>(k));
    const auto leave = sk::farm([&](std::size_t k) { y[k] = one_more(x[k]); });
    const std::vector<std::size_t> items{0, 1, 2, 3};
    const auto leave_and_wait = [&] {
        leave(items);
        for (const auto& v : y) sk::wait(v);
    };
    REQUIRE(is_seen(leave_and_wait, has_episodes(3)));
    for (int round = 0; round < 5; ++round) leave(items); // nobody waits: what was left gives way
    run_farm(10'000);
    for (std::size_t k = 0; k < 4; ++k) REQUIRE(sk::host_read(y[k])[7] == static_cast<float>(k + 1));
}

TEST_CASE("other work by the same line is another kind of episode", "[run episodes]")
{
    forget();
    REQUIRE(is_seen([] { run_farm(1'000); }, has_episodes(1)));
    const std::size_t before = runs_seen().size();
    REQUIRE(is_seen([] { run_farm(64'000); }, [&](const auto& runs) { return runs.size() > before; }));
}

TEST_CASE("a farm of no items keeps no other from being an episode", "[run episodes]")
{
    forget();
    const auto nothing = sk::farm([](int item) { return item; }).start(std::vector<int>{});
    REQUIRE(is_seen([] { run_farm(10'000); }, has_episodes(1)));
    REQUIRE(nothing.get().empty());
}

TEST_CASE("farms whose calls were told where to run are none", "[run episodes]")
{
    forget();
    const sk::only cores(sk::device::cpu);
    for (int round = 0; round < 8; ++round) run_farm(10'000);
    REQUIRE(runs_seen().empty());
}

TEST_CASE("a farm beside another thread's calls proves nothing", "[run episodes]")
{
    forget();
    std::atomic<bool> over{false};
    std::atomic<int> made{0};
    std::jthread other([&] {
        sk::vector<float> x(5'000, 0.0f);
        for (; !over; ++made) x = one_more(x), sk::wait(x);
    });
    while (made < 3) std::this_thread::yield();
    const auto with_others = sk::farm([&](int) {
        const int before = made; // at least two calls of the other begin meanwhile
        const sk::vector<float> x(10'000, 1.0f);
        const float got = sum(x);
        while (made < before + 2) std::this_thread::yield();
        return got;
    });
    for (int round = 0; round < 5; ++round) REQUIRE(with_others(std::vector<int>{0, 1})[0] == 10'000);
    over = true;
    other.join();
    REQUIRE(runs_seen().empty());
}

TEST_CASE("calls go the way of the run that they are of", "[run episodes]")
{
    const call_wishes before = program::current().wishes;
    auto& ground = engine::current()->ground();
    for (std::size_t way = 0; way <= ground.alone().size(); ++way) {
        auto run = std::make_shared<run_way>();
        run->set_way(way, ground.way_of(way).may_use.kinds);
        program::current().wishes.run = run;
        sk::vector<float> x(100'000, 1.0f);
        for (int k = 0; k < 3; ++k) x = one_more(x);
        REQUIRE(sum(x) == 400'000);
        REQUIRE(program::current().take_work_seen().elements == 400'000);
        const run_way::times sums = run->sums();
        REQUIRE(sums.elements <= 400'000);
        if (way == 0) REQUIRE(sums.elements == 400'000);
        for (const target& t : engine::current()->devices().targets())
            if (way > 0 && t.index < sums.busy_us.size() && !ground.alone()[way - 1].has(t))
                REQUIRE(sums.busy_us[t.index] == 0);
    }
    program::current().wishes = before;
}

TEST_CASE("what models say counts if they have told of nearly all the work of a run", "[run episodes]")
{
    run_way run;
    run.add(work_seen{1, 1'000});
    REQUIRE_FALSE(run.is_told_of());
    run.add_told(850);
    REQUIRE_FALSE(run.is_told_of());
    run.add_told(100);
    REQUIRE(run.is_told_of());
}

int main(int argc, char** argv) { return run_with_opencl(argc, argv, {}); }
