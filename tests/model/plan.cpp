// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/files/files.hpp"
#include "src/model/files/plan_file.hpp"

#include <skelrt/error.hpp>

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>

using namespace skelrt;
using namespace skelrt::detail;
using Catch::Contains;

namespace
{

struct temporary_file {
    std::string name = (std::filesystem::temp_directory_path() / ("skelrt-plan-" + std::to_string(getpid()))).string();
    ~temporary_file() { std::filesystem::remove(name); }
    void put(const std::string& text) const { std::ofstream(name) << text; }
};

plan sample()
{
    plan p;
    p.range(1001, plan::any_size, {{device::cuda, 0.75, 1, 4, 0, 128}, {device::cpu, 0.25, 0, 0, 3}});
    p.range(0, 1000, {{device::cpu}});
    return p;
}

} // namespace

TEST_CASE("a plan knows its ranges", "[plan]")
{
    const plan p = sample();
    REQUIRE(p.ranges().size() == 2);
    REQUIRE(p.ranges()[0].from == 0);
    REQUIRE(p.at(1000)->shares.size() == 1);
    REQUIRE(p.at(1001)->shares.size() == 2);
    REQUIRE(p.at(plan::any_size) == p.at(1001));
    REQUIRE(plan().at(5) == nullptr);
}

TEST_CASE("a plan comes back from its file", "[plan]")
{
    const temporary_file file;
    sample().save(file.name);
    REQUIRE(plan::load(file.name) == sample());
    plan().save(file.name);
    REQUIRE(plan::load(file.name) == plan());
}

TEST_CASE("a plan is printed", "[plan]")
{
    std::ostringstream text;
    text << sample();
    REQUIRE_THAT(text.str(), Contains("0 to         1000: cpu 100 %\n"));
    REQUIRE_THAT(
        text.str(),
        Contains("1001 to          any: cuda 1 75 % in 4 pieces in blocks of 128 threads, cpu 25 % with 3 threads\n"));
    REQUIRE(plan().to_text() == "automatic\n");
}

TEST_CASE("plans that cannot be are errors", "[plan]")
{
    plan p = sample();
    REQUIRE_THROWS_WITH(p.range(5, 5, {{device::cpu}}), Contains("overlap sizes 0 to 1000"));
    REQUIRE_THROWS_WITH(plan().range(5, 4, {{device::cpu}}), Contains("empty"));
    REQUIRE_THROWS_WITH(plan(std::vector<plan_share>{}), Contains("no device"));
    REQUIRE_THROWS_WITH(plan({{device::cpu, 0.5}}), Contains("sum to 0.5"));
    REQUIRE_THROWS_WITH(plan({{device::cpu, 0.5}, {device::cuda, 0.6}}), Contains("sum to 1.1"));
    REQUIRE_THROWS_WITH(plan({{device::cpu, 1.5}}), Contains("a part of 1.5"));
    REQUIRE_THROWS_WITH(plan({{device::cpu, -0.5}, {device::cuda, 1.5}}), Contains("a part of -0.5"));
    REQUIRE_THROWS_WITH(plan({{device::cuda, 0.5}, {device::cuda, 0.5}}), Contains("cuda 0 comes twice"));
    REQUIRE_THROWS_WITH(plan({{device::cpu, 1, 1}}), Contains("there is no cpu 1"));
    REQUIRE_THROWS_WITH(plan({{device::cuda, 1, 0, 0, 8}}), Contains("no threads"));
    REQUIRE_THROWS_WITH(plan({{device::cpu, 1, 0, 0, 0, 64}}), Contains("no blocks of threads"));
    REQUIRE_THROWS_WITH(plan({{device::cuda, 1, 0, 0, 0, 100}}), Contains("blocks of 100 threads"));
    REQUIRE_THROWS_WITH(plan({{device::cuda, 1, 0, 0, 0, 2048}}), Contains("at most 1024"));
    REQUIRE(p == sample()); // errors change nothing
}

TEST_CASE("files that are no plans are errors that name them", "[plan]")
{
    const temporary_file file;
    const auto refused = [&](const std::string& text, const std::string& reason) {
        file.put(text);
        REQUIRE_THROWS_WITH(load_program_plans(file.name), Contains(file.name) && Contains(reason));
    };
    REQUIRE_THROWS_WITH(plan::load("/nowhere/plan.json"), Contains("/nowhere/plan.json") && Contains("no such file"));
    refused("", "no file of plans");
    refused("{\"ranges\": []}", "no file of plans");
    refused("{\"skelrt_plan\": 2, \"ranges\": []}", "version 2");
    const auto with = [](const std::string& share) {
        return "{\"skelrt_plan\": 1, \"ranges\": [{\"shares\": [" + share + "]}]}";
    };
    refused(with("{\"device\": \"tpu 0\"}"), "\"tpu 0\" is no device");
    refused(with("{\"device\": \"cuda x\"}"), "is no device");
    refused(with("{\"device\": \"cpu\", \"blocks\": 256}"), "\"blocks\" is not known");
    refused(with("{\"device\": \"cpu\", \"part\": 0.9}"), "sum to 0.9");
    file.put(with("{\"device\": \"opencl 1\"}"));
    REQUIRE(plan::load(file.name) == plan({{device::opencl, 1, 1}}));
}

TEST_CASE("a program's plans are found by key, by name, or are those of all others", "[plan]")
{
    const temporary_file file;
    program_plans all;
    all.codelets.push_back({"map (a.cpp:1)", 7, plan({{device::cpu}})});
    all.codelets.push_back({"map (b.cpp:1)", 0, plan({{device::cuda}})});
    save_program_plans(file.name, all);
    const program_plans back = load_program_plans(file.name);
    REQUIRE(*back.find(7, "whatever") == plan({{device::cpu}}));
    REQUIRE(*back.find(9, "map (b.cpp:1)") == plan({{device::cuda}}));
    REQUIRE(back.find(9, "map (a.cpp:1)") == nullptr);
    REQUIRE_THROWS_WITH(plan::load(file.name), Contains("SKELRT_PLAN"));
    sample().save(file.name);
    REQUIRE(*load_program_plans(file.name).find(9, "any") == sample());
}
