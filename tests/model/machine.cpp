// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/machine/machine.hpp"
#include "src/model/machine/network.hpp"

#include <skelrt/error.hpp>

#include <catch2/catch.hpp>

#include <vector>

using namespace skelrt::detail;
using Catch::Contains;

TEST_CASE("a machine comes back from its file, with where each fact is from", "[machine]")
{
    machine m{"node", {assumed_cpu(16), assumed_device("cuda", 1)}};
    m.devices[1].memory = {3e6, source::measured};
    m.devices[1].name = "H100";
    m.devices[1].from_others["cuda 0"] = {200e3, source::asked};
    const machine back = machine_from_json(to_json(m));
    REQUIRE(back.name == "node");
    REQUIRE(back.devices.size() == 2);
    REQUIRE(back.find("cuda", 1)->memory.value == 3e6);
    REQUIRE(back.find("cuda", 1)->memory.from == source::measured);
    REQUIRE(back.find("cuda", 1)->fp32.from == source::assumed);
    REQUIRE(back.find("cuda", 1)->from_others.at("cuda 0").value == 200e3);
    REQUIRE(back.find("cpu", 0)->from_others.empty());
    REQUIRE(back.find("cuda", 0) == nullptr);
    REQUIRE(back.any("cuda")->name == "H100");
    REQUIRE(back.find("cpu", 0)->to.value == 0);
}

TEST_CASE("a network comes back from its file, and tells the times that it was fitted to", "[machine]")
{
    constexpr double copied = 10e3;
    const auto exact = [](double bytes) { return 7 + bytes / 12.5e3 + 2 * bytes / copied; };
    std::vector<timed_message> messages;
    for (const double bytes : {8., 1024., 65536., 1e6, 64e6}) messages.push_back({bytes, exact(bytes)});
    machine m{"node", {assumed_cpu(16)}, fit_network(1.5, messages, 3, copied)};
    const network_peaks back = machine_from_json(to_json(m)).network;
    for (const auto& [bytes, us] : messages) CHECK(message_us(back, bytes) == Approx(us));
    CHECK(back.bytes_per_us.value == Approx(12.5e3));
    CHECK(back.value_us.value == 1.5);
    CHECK(back.overhead_us.value == 3);
    CHECK(message_us(machine_from_json(to_json({"node", {assumed_cpu(1)}})).network, 8) < 0);
}

TEST_CASE("a network whose copies are faster than those that were timed is told all the same", "[machine]")
{
    const std::vector<timed_message> messages{{8, 5}, {1e6, 105}};
    const network_peaks n = fit_network(1, messages, 2, 11e3);
    CHECK(n.bytes_per_us.value > 0);
    CHECK(message_us(n, 8) == Approx(5).epsilon(0.01));
    CHECK(message_us(n, 1e6) == Approx(105).epsilon(0.01));
}

TEST_CASE("a file about a machine that makes no sense is refused", "[machine]")
{
    std::string text = to_json({"node", {assumed_cpu(2)}});
    REQUIRE_THROWS_WITH(machine_from_json("{"), Contains("no file about a machine"));
    REQUIRE_THROWS_WITH(
        machine_from_json(text.replace(text.find("\"skelrt_machine\": 1"), 19, "\"skelrt_machine\": 7")),
        Contains("version 7"));
}

TEST_CASE("copies both ways lose between nothing and all of the time that they share", "[machine]")
{
    device_peaks d = assumed_device("cuda", 0);
    REQUIRE(hindrance_of(d) == Approx(1 / 0.9 - 1));
    d.to.value = 50e3, d.from.value = 30e3;
    d.both.value = 60e3;
    REQUIRE(hindrance_of(d) == Approx(1.0 / 3));
    d.both.value = 20e3; // measured beside others
    REQUIRE(hindrance_of(d) == 1);
    d.both.value = 90e3;
    REQUIRE(hindrance_of(d) == 0);
    REQUIRE(hindrance_of(assumed_cpu(4)) == 0); // no link
}

TEST_CASE("guesses are bound by memory or by arithmetic, whichever is slower", "[machine]")
{
    device_peaks cpu = assumed_cpu(10), gpu = assumed_device("cuda", 0);
    cpu.core_memory.value = 10e3, cpu.memory.value = 50e3, cpu.fp32.value = 1e6;
    gpu.memory.value = 1e6, gpu.fp32.value = 50e6;
    REQUIRE(best_core_us(cpu, 12, -1) == Approx(12 / 10e3));
    REQUIRE(best_core_us(cpu, 12, 1000) == Approx(1));
    REQUIRE(best_device_us(gpu, cpu, 12, 1, 10) == Approx(12e-6));
    REQUIRE(best_device_us(gpu, cpu, 12, 1000, 10) == Approx(0.002)); // 500 cores' worth
}

TEST_CASE("guesses for all cores know caches, and that cores slow each other down", "[machine]")
{
    device_peaks cpu = assumed_cpu(10);
    cpu.core_memory.value = 10e3, cpu.memory.value = 50e3, cpu.cache.value = 12'000;
    REQUIRE(likely_team_us(cpu, {12, 12}, 1001, -1, 10, false) == Approx(12 / 50e3)); // the cores share the memory
    REQUIRE(likely_team_us(cpu, {12, 12}, 1001, 1000, 10, false) == Approx(0.15));
    REQUIRE(likely_team_us(cpu, {12, 12}, 1001, 1000, 1, false) == Approx(1));
    REQUIRE(likely_team_us(cpu, {12, 12}, 1001, 1000, 10, true) == Approx(0.1));
    REQUIRE(likely_team_us(cpu, {12, 12}, 501, -1, 10, false) == Approx(12 / 50e3)); // other data is there
    REQUIRE(likely_team_us(cpu, {12, 12}, 500, -1, 10, false) == Approx(6 / 50e3));
    REQUIRE(likely_team_us(cpu, {12, 18}, 501, -1, 10, false) == Approx(18 / 50e3));
    REQUIRE(likely_team_us(cpu, {12, 18}, 500, -1, 10, false) == Approx(6 / 50e3)); // nothing goes to memory
    REQUIRE(waits_for_memory(cpu, 12, -1, 10));
    REQUIRE(waits_for_memory(cpu, 12, 1, 10)); // 0.15 ns of each core's time, 0.24 of the memory's
    REQUIRE_FALSE(waits_for_memory(cpu, 12, 2, 10));
    REQUIRE(likely_team_us(cpu, {12, 12}, 1001, -1, 2, false) == Approx(12 / 20e3)); // two cores alone do not fill it
    cpu.cache.value = 0;
    REQUIRE(likely_team_us(cpu, {12, 12}, 1, -1, 10, false) == Approx(12 / 50e3));
}
