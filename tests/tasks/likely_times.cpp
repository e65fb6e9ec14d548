// SPDX-License-Identifier: BSD-3-Clause
#include "src/tasks/costs/likely_times.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <vector>

/// What a task likely takes where nobody has measured it, and which trials are worth it: as data.

namespace
{

using namespace skelrt::detail;

device_peaks cores_of_16() { return assumed_cpu(16); }

device_peaks large_gpu()
{
    device_peaks gpu = assumed_device("cuda", 0);
    gpu.memory.value = 4e6;
    gpu.fp32.value = gpu.fp64.value = 60e6;
    return gpu;
}

task_size product_of_blocks(double n) { return {2 * n * n * n, 3 * n * n * 8, sizeof(double)}; }

/// A core and a large GPU, both unknown.
std::array<device_time, 2> unknown(const task_size& s)
{
    return {device_time{best_us_on_core(s, cores_of_16(), 16)},
            device_time{best_us_on_gpu(s, large_gpu()), s.bytes / 50e3}};
}

} // namespace

TEST_CASE("a task at best takes what arithmetic or memory takes", "[task times]")
{
    const device_peaks cpu = cores_of_16(), gpu = large_gpu();
    const task_size product = product_of_blocks(1000), copy{0, 16e6, sizeof(double)}, floats{1e9, 1e3, sizeof(float)};
    CHECK(best_us_on_core(product, cpu, 16) == Approx(2e9 / (cpu.fp64.value / 16)));
    CHECK(best_us_on_core(copy, cpu, 16) == Approx(16e6 / cpu.core_memory.value));
    CHECK(best_us_on_core(floats, cpu, 16) == Approx(1e9 / (cpu.fp32.value / 16)));
    CHECK(best_us_on_gpu(product, gpu) == Approx(4 + 2e9 / gpu.fp64.value));
    CHECK(best_us_on_gpu({}, gpu) == 4);
    CHECK(best_us_on_core({}, cpu, 16) > 0); // others are told by how many times it takes longer
}

TEST_CASE("while nothing is known the best guess is believed, and others are doubted", "[task times]")
{
    const auto large = unknown(product_of_blocks(2048));
    CHECK(likely_us(large, 1) == large[1].best_us);
    CHECK(likely_us(large, 0) == 4 * large[0].best_us);
    CHECK(likely_us(large, 0) > 100 * (likely_us(large, 1) + large[1].way_us));
    const auto small = unknown(product_of_blocks(8)); // a kernel's start takes longer
    CHECK(likely_us(small, 0) == small[0].best_us);
    CHECK(likely_us(small, 1) == 4 * small[1].best_us);
    CHECK_FALSE(cheapest_trial(large));
}

TEST_CASE("what was measured says how far from their best others are", "[task times]")
{
    std::vector<device_time> devices{{100}, {1, 0, 3, 1}, {10, 0, 400, 3}};
    CHECK(likely_us(devices, 0) == 4 * 100 * 3); // the fastest one takes three times its best
    CHECK(likely_us(devices, 1) == 3);
    CHECK(likely_us(devices, 2) == 400);
    devices[0] = {100, 0, 50, 1};
    CHECK(likely_us(devices, 0) == 50);
}

TEST_CASE("the trial that costs least is of a device that is not sure and seems slower", "[task times]")
{
    std::vector<device_time> devices{{100}, {1, 5, 2, 1}, {10, 20}};
    const auto first = cheapest_trial(devices);
    REQUIRE(first);
    CHECK(first->which == 2);
    CHECK(first->us == 4 * 10 * 2 + 20); // the way of the data there counts
    devices[2] = {10, 20, 900, 1};       // it was wild, with a library's start in it, or is slow: more runs will tell
    CHECK(cheapest_trial(devices)->us == first->us);
    devices[2] = {10, 20, 50, 1};
    CHECK(cheapest_trial(devices)->us == 50 + 20);
    devices[2].runs = 3;
    CHECK(cheapest_trial(devices)->which == 0);
    devices[0] = {100, 0, 150, 3};
    CHECK_FALSE(cheapest_trial(devices)); // the fastest is used anyway
}

TEST_CASE("trials cost an eighth of what a kernel's tasks took", "[task times]")
{
    trial_budget budget;
    CHECK_FALSE(budget.pay(1));
    budget.note_spent(80);
    CHECK(budget.pay(6));
    CHECK_FALSE(budget.pay(5));
    CHECK(budget.pay(4));
    CHECK_FALSE(budget.pay(1));
    budget.note_spent(8);
    CHECK(budget.pay(1));
}

TEST_CASE("a factorisation in large blocks tries no core, one in small blocks soon does", "[task times]")
{
    const auto tries_core_within = [](double block, int tasks) {
        const task_size s = product_of_blocks(block);
        auto devices = unknown(s);
        devices[1].measured_us = 1.5 * devices[1].best_us;
        trial_budget budget;
        for (int k = 0; k < tasks; ++k) {
            devices[1].runs = static_cast<std::size_t>(k);
            budget.note_spent(devices[1].measured_us);
            const auto t = cheapest_trial(devices);
            if (t && t->which == 0 && budget.pay(t->us)) return true;
        }
        return false;
    };
    CHECK_FALSE(tries_core_within(2048, 56)); // 16384 in blocks of 2048
    CHECK(tries_core_within(64, 5456));
}
