#include "src/runtime/team.hpp"

#include "src/runtime/engine.hpp"

#include <skelrt/runtime.hpp>

#include <catch2/catch.hpp>

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
    roll() : times_(engine::current()->cores(), 0) {}
    void operator()(int member, int members)
    {
        if (members == static_cast<int>(times_.size())) ++times_[static_cast<std::size_t>(member)];
    }
    bool all_were_there(int times) const { return times_ == std::vector<int>(times_.size(), times); }

private:
    std::vector<int> times_;
};

void sleep_until_helpers_do() { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }

} // namespace

TEST_CASE("all members are in every region, one right after the other", "[team]")
{
    const skelrt::runtime rt;
    roll members;
    for (int k = 1; k <= 5000; ++k) {
        run_team(std::ref(members));
        if (!members.all_were_there(k)) FAIL("region " << k);
    }
}

TEST_CASE("helpers that fell asleep wake up", "[team]")
{
    const skelrt::runtime rt;
    roll members;
    for (int k = 1; k <= 50; ++k) {
        sleep_until_helpers_do();
        run_team(std::ref(members));
        REQUIRE(members.all_were_there(k));
    }
}

TEST_CASE("a leader that fell asleep wakes up", "[team]")
{
    const skelrt::runtime rt;
    for (int k = 0; k < 50; ++k) {
        bool slept = false;
        run_team([&](int member, int members) {
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
        std::thread([&] { led = run_team_here(std::ref(members)); }).join();
        REQUIRE(led);
        REQUIRE(members.all_were_there(2 * k - 1));
        run_team(std::ref(members));
        REQUIRE(members.all_were_there(2 * k));
    }
}

TEST_CASE("a thread does not lead while another does", "[team]")
{
    const skelrt::runtime rt;
    bool led = true;
    run_team([&](int member, int) {
        if (member == 0) led = std::async(std::launch::async, [] { return run_team_here([](int, int) {}); }).get();
    });
    CHECK(!led);
}

TEST_CASE("a team ends with its runtime, and the next has one of its own", "[team]")
{
    for (int k = 0; k < 3; ++k) {
        const skelrt::runtime rt;
        roll members;
        run_team(std::ref(members));
        CHECK(members.all_were_there(1));
    }
}
