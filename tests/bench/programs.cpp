// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/programs/judge/explain.hpp"
#include "src/bench/programs/judge/seconds_in_csv.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace bench;
using skelrt::tool::event_kind;
using skelrt::tool::row_kind;
using skelrt::tool::trace_events;
using skelrt::tool::traced_event;

namespace
{

constexpr int thread = 1, gpu = 2, into_gpu = 3;

/// A program with calls of two recipes, on a GPU and in the calling thread.
class made_up_trace
{
public:
    made_up_trace()
    {
        trace_.ranks.emplace_back();
        trace_.rows = {{{0, thread}, {"main thread", row_kind::thread}},
                       {{0, gpu}, {"CUDA 0", row_kind::device}},
                       {{0, into_gpu}, {"CUDA 0: copies in", row_kind::copies}}};
    }

    made_up_trace& copy() { return add(event_of(event_kind::copy, into_gpu, "NUMA 0 to CUDA 0", 0)); }
    made_up_trace& call(const std::string& name, const std::string& device, double planned_us, double us)
    {
        traced_event e = event_of(event_kind::call, thread, name, us);
        e.planned_us = planned_us;
        e.size = "10 x 10";
        e.device = device;
        return add(e);
    }
    made_up_trace& task(const std::string& name, double planned_us, double us)
    {
        traced_event made = event_of(event_kind::call, thread, name, 1);
        made.call = ++calls_;
        made.planned_us = planned_us;
        made.size = "10 x 10";
        made.device = "cuda 0: 1 of 1 tiles in 1 task";
        add(made);
        traced_event done = event_of(event_kind::task, gpu, name, us);
        done.call = calls_;
        return add(done);
    }
    const trace_events& events() const { return trace_; }

private:
    static traced_event event_of(event_kind kind, int row, const std::string& name, double us)
    {
        traced_event e;
        e.kind = kind;
        e.row = row;
        e.name = name;
        e.us = us;
        return e;
    }

    made_up_trace& add(traced_event e)
    {
        e.begin_us = now_us_++;
        trace_.all.push_back(e);
        return *this;
    }

    trace_events trace_;
    std::uint64_t calls_ = 0;
    double now_us_ = 0;
};

} // namespace

TEST_CASE("calls cost what they take more than as many of the recipe elsewhere", "[explain]")
{
    made_up_trace automatic, alone;
    automatic.copy().copy().task("map", 10, 100).copy().task("map", 10, 60).task("scan", 5, 4);
    alone.call("map", "all cores", 20, 20).call("scan", "all cores", 6, 6).call("scan", "calling thread", 6, 8);

    const std::vector<call_cost> costs = costs_of_calls(automatic.events(), alone.events());
    REQUIRE(costs.size() == 2);
    CHECK(costs[0].recipe == "map");
    CHECK(costs[0].device == "cuda 0: 1 of 1 tiles in 1 task");
    CHECK(costs[0].calls == 2);
    CHECK(costs[0].copies == 3);
    CHECK(costs[0].planned_us == 20);
    CHECK(costs[0].taken_us == 160);
    CHECK(costs[0].elsewhere_us == 40);
    CHECK(costs[0].lost_us() == 120);
    CHECK(costs[1].recipe == "scan");
    CHECK(costs[1].copies == 0);
    CHECK(costs[1].elsewhere_us == 7); // of two ways there
    CHECK(costs[1].lost_us() == -3);
}

TEST_CASE("what the other run has no calls of costs nothing that anybody knows", "[explain]")
{
    made_up_trace automatic;
    automatic.call("map", "calling thread", 0, 50);
    const std::vector<call_cost> costs = costs_of_calls(automatic.events(), made_up_trace().events());
    REQUIRE(costs.size() == 1);
    CHECK(costs[0].lost_us() == 0);
    CHECK(costs_of_calls(made_up_trace().events(), automatic.events()).empty());
}

TEST_CASE("the table ends with what is lost beside calls", "[explain]")
{
    call_cost c{"map", "10 x 10", "all cores"};
    c.calls = 2;
    c.taken_us = 3000;
    c.elsewhere_us = 1000;
    const std::string text = costs_text({c}, "cuda", 5000);
    CHECK_THAT(text, Catch::Contains("    2.000       2       0           -      1500.0       500.0"));
    CHECK_THAT(text, Catch::Contains("10 x 10  map, all cores"));
    CHECK_THAT(text, Catch::Contains("    3.000 beside calls"));
    CHECK_THAT(costs_text({}, "cpu", 0), Catch::Contains("    0.000 beside calls"));
}

TEST_CASE("an application takes what the rows of its table say", "[programs]")
{
    CHECK(seconds_in_csv({"device,hardware,size,runs,best_s,median_s,error\n",
                          "hybrid,\"2 cores, one GPU\",7,1,0.5,0.25,\n", "hybrid,\"2 cores\",8,1,0.5,0.5,\n"}) == 0.75);
    CHECK_THROWS_WITH(seconds_in_csv({}), Catch::Contains("no times"));
    CHECK_THROWS_WITH(seconds_in_csv({"device,median_s\n"}), Catch::Contains("no times"));
    CHECK_THROWS_WITH(seconds_in_csv({"device,best_s\n", "cpu,1\n"}), Catch::Contains("no times"));
    CHECK_THROWS_WITH(seconds_in_csv({"device,median_s\n", "cpu\n"}), Catch::Contains("no times"));
}
