// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/cores/team.hpp"

#include "src/lowering/engine.hpp"

#include <skelrt/runtime.hpp>

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <thread>
#include <vector>

using namespace skelrt::detail;

namespace
{

/// How often each member has been in a region; members count without further ado, for regions are put in order.
class roll
{
public:
    roll() : times_(engine::current()->devices().cores(), 0) {}
    void operator()(int member, int members)
    {
        if (members == static_cast<int>(times_.size())) ++times_[static_cast<std::size_t>(member)];
    }
    bool all_were_there(int times) const { return times_ == std::vector<int>(times_.size(), times); }

private:
    std::vector<int> times_;
};

void lead_as_worker(member_body body) { team_lead(leader::worker).run(body); }
bool lead_here(member_body body)
{
    team_lead lead(leader::caller);
    if (lead) lead.run(body);
    return bool(lead);
}

void sleep_until_helpers_do() { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }

} // namespace

TEST_CASE("all members are in every region, one right after the other", "[team]")
{
    const skelrt::runtime rt;
    roll members;
    for (int k = 1; k <= 5000; ++k) {
        lead_as_worker(std::ref(members));
        if (!members.all_were_there(k)) FAIL("region " << k);
    }
}

TEST_CASE("helpers that fell asleep wake up", "[team]")
{
    const skelrt::runtime rt;
    roll members;
    for (int k = 1; k <= 50; ++k) {
        sleep_until_helpers_do();
        lead_as_worker(std::ref(members));
        REQUIRE(members.all_were_there(k));
    }
}

TEST_CASE("a leader that fell asleep wakes up", "[team]")
{
    const skelrt::runtime rt;
    for (int k = 0; k < 50; ++k) {
        bool slept = false;
        lead_as_worker([&](int member, int members) {
            if (member != members - 1) return;
            sleep_until_helpers_do();
            slept = true;
        });
        REQUIRE(slept);
    }
}

TEST_CASE("any thread may lead, each in the place of the core that it is on", "[team]")
{
    const skelrt::runtime rt;
    roll members;
    for (int k = 1; k <= 1000; ++k) {
        bool led = false;
        std::thread([&] { led = lead_here(std::ref(members)); }).join();
        REQUIRE(led);
        REQUIRE(members.all_were_there(2 * k - 1));
        lead_as_worker(std::ref(members));
        REQUIRE(members.all_were_there(2 * k));
    }
}

TEST_CASE("a thread does not lead while another does", "[team]")
{
    const skelrt::runtime rt;
    bool led = true;
    lead_as_worker([&](int member, int) {
        if (member == 0) led = std::async(std::launch::async, [] { return lead_here([](int, int) {}); }).get();
    });
    CHECK(!led);
}

TEST_CASE("a team ends with its runtime, and the next has one of its own", "[team]")
{
    for (int k = 0; k < 3; ++k) {
        const skelrt::runtime rt;
        roll members;
        lead_as_worker(std::ref(members));
        CHECK(members.all_were_there(1));
    }
}

TEST_CASE("a worker that got a task naps shortly until the next", "[team]")
{
    using namespace std::chrono;
    const skelrt::runtime rt;
    const auto& workers = engine::current()->devices().cpu_workers();
    if (workers.size() < 2 || !engine::current()->devices().cores_alone()) return;
    starpu_codelet nothing;
    starpu_codelet_init(&nothing);
    nothing.cpu_funcs[0] = [](void**, void*) {};
    const auto run = [&] {
        starpu_task_insert(&nothing, STARPU_EXECUTE_ON_WORKER, workers[1], 0);
        starpu_task_wait_for_all();
    };
    constexpr int tasks = 20, tries = 5;
    constexpr milliseconds long_nap{16};
    bool short_naps = false;
    for (int k = 0; k < tries && !short_naps; ++k) { // on a busy machine it may wake up late
        std::this_thread::sleep_for(10 * long_nap);
        run();
        const auto begin = steady_clock::now();
        for (int i = 0; i < tasks; ++i) run();
        short_naps = steady_clock::now() - begin < tasks * long_nap / 4;
    }
    REQUIRE(short_naps);
}

namespace
{

/// Two tasks that wait for each other, but not for long.
struct meeting {
    std::atomic<int> there{0};
    std::atomic<bool> met{false};
    void come(std::chrono::milliseconds patience)
    {
        ++there;
        const auto until = std::chrono::steady_clock::now() + patience;
        while (there < 2)
            if (std::chrono::steady_clock::now() > until) return;
        met = true;
    }
};

} // namespace

TEST_CASE("tasks of the program's own wake the cores that sleep", "[team]")
{
    using namespace std::chrono;
    const skelrt::runtime rt;
    if (engine::current()->devices().cores() < 2 || !engine::current()->devices().cores_alone()) return;
    static constexpr milliseconds longest_nap{16};
    constexpr int tries = 20;
    starpu_codelet meets;
    starpu_codelet_init(&meets);
    meets.cpu_funcs[0] = [](void**, void* m) { static_cast<meeting*>(m)->come(longest_nap / 4); };
    int met = 0;
    for (int k = 0; k < tries; ++k) {
        std::this_thread::sleep_for(3 * longest_nap);
        meeting both;
        for (int t = 0; t < 2; ++t) {
            starpu_task* const task = starpu_task_create();
            task->cl = &meets;
            task->cl_arg = &both;
            REQUIRE(starpu_task_submit(task) == 0);
        }
        starpu_task_wait_for_all();
        met += both.met;
    }
    REQUIRE(met > tries / 2); // if it slept to the end of its nap, a quarter would
}
