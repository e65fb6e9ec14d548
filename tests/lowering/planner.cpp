#include "src/lowering/planner.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

using namespace skelrt::detail;

namespace
{

const plan_device cores{10, 1e-3, 1e9, 0, true, 1000, false};
const plan_device gpu{25, 1e-5, 50e3, 0, false, 32, false};

std::vector<std::size_t> even(std::size_t segments, std::size_t elements)
{
    return std::vector<std::size_t>(segments, elements);
}

/// Every segment once, in order, none empty; runs as long as they may be.
void check_cover(const std::vector<plan_group>& plan, const std::vector<plan_device>& devices, std::size_t segments)
{
    std::size_t next = 0;
    for (const plan_group& g : plan) {
        REQUIRE(g.first == next);
        REQUIRE(g.count > 0);
        REQUIRE(g.device < devices.size());
        REQUIRE(g.count <= devices[g.device].longest_run);
        next += g.count;
    }
    REQUIRE(next == segments);
}

std::size_t share_of(const std::vector<plan_group>& plan, unsigned device)
{
    std::size_t n = 0;
    for (const plan_group& g : plan)
        if (g.device == device) n += g.count;
    return n;
}

} // namespace

TEST_CASE("the cores alone take all in one task", "[planner]")
{
    const std::vector<plan_device> devices{cores};
    const auto plan = make_plan(devices, even(32, 1000), std::vector<double>(32, 0));
    REQUIRE(plan == std::vector<plan_group>{{0, 0, 32}});
}

TEST_CASE("what lies on the GPU and is dear stays there", "[planner]")
{
    const std::vector<plan_device> devices{cores, gpu};
    std::vector<double> missing(32 * 2, 0);
    for (std::size_t s = 0; s < 32; ++s) missing[s * 2] = 8e6; // the cores lack it
    const auto plan = make_plan(devices, even(32, 1'000'000), missing);
    check_cover(plan, devices, 32);
    REQUIRE(share_of(plan, 1) >= 31);
}

TEST_CASE("a pass bound by copies is shared, the GPU in front", "[planner]")
{
    // Per segment: 100 us on the cores, 160 us of copies for the GPU.
    const std::vector<plan_device> devices{{10, 1e-4, 1e9, 0, true, 1000, false}, gpu};
    std::vector<double> missing(32 * 2, 0);
    for (std::size_t s = 0; s < 32; ++s) missing[s * 2 + 1] = 8e6;
    const auto plan = make_plan(devices, even(32, 1'000'000), missing);
    check_cover(plan, devices, 32);
    REQUIRE(plan.front().device == 1);
    REQUIRE(plan.back().device == 0);
    const auto on_gpu = share_of(plan, 1);
    REQUIRE(on_gpu >= 11);
    REQUIRE(on_gpu <= 13); // 12 x 160 = 1.92 ms, 20 x 100 = 2.00 ms
}

TEST_CASE("a small call is not split", "[planner]")
{
    const std::vector<plan_device> devices{cores, gpu};
    std::vector<double> missing(4 * 2, 0);
    for (std::size_t s = 0; s < 4; ++s) missing[s * 2 + 1] = 4000;
    const auto plan = make_plan(devices, even(4, 1000), missing);
    REQUIRE(plan == std::vector<plan_group>{{0, 0, 4}});
}

TEST_CASE("a steady device cuts by sizes alone", "[planner]")
{
    for (double us : {1e-6, 1e-3, 1.0}) {
        std::vector<plan_device> devices{gpu};
        devices[0].element_us = us;
        devices[0].steady = true;
        REQUIRE(make_plan(devices, even(32, 1000), std::vector<double>(32, us * 1e6)).size() == 2);
    }
}

TEST_CASE("long kernels of calls in a row are halves, where they would wait for the host", "[planner]")
{
    std::vector<plan_device> devices{gpu};
    const std::vector<double> nothing(32, 0);
    plan_rules rules;
    REQUIRE(make_plan(devices, even(32, 1'000'000), nothing, rules).size() == 1);
    rules.waits = true;
    REQUIRE(make_plan(devices, even(32, 1'000'000), nothing, rules).size() == 2);
    REQUIRE(make_plan(devices, even(32, 1000), nothing, rules).size() == 1); // short ones
    devices[0].gapless = true;
    REQUIRE(make_plan(devices, even(32, 1'000'000), nothing, rules).size() == 1);
}

TEST_CASE("data that many calls use goes to the faster device", "[planner]")
{
    // Per segment: 100 us on the cores; 160 us of copies for the GPU, once, and 10 us of work.
    const std::vector<plan_device> devices{{10, 1e-4, 1e9, 0, true, 1000, false}, gpu};
    std::vector<double> missing(32 * 2, 0);
    for (std::size_t s = 0; s < 32; ++s) missing[s * 2 + 1] = 8e6;
    plan_rules rules;
    rules.split_us = 1e6; // never
    REQUIRE(share_of(make_plan(devices, even(32, 1'000'000), missing, rules), 1) == 0);
    rules.uses = 2; // 80 us each
    REQUIRE(share_of(make_plan(devices, even(32, 1'000'000), missing, rules), 1) == 32);
}

TEST_CASE("random calls: all is covered, and no plan is slower than the best single device", "[planner]")
{
    std::mt19937 random(11);
    const auto real = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
    for (int round = 0; round < 1000; ++round) {
        const auto segments = static_cast<std::size_t>(real(1, 70));
        std::vector<plan_device> devices{{10, real(1e-5, 1e-2), 50e3, 0, true, segments, false}};
        for (int d = static_cast<int>(real(0, 3)); d > 0; --d)
            devices.push_back({25, real(1e-6, 1e-3), real(1e3, 6e4), real(0, 1e7), false,
                               1 + static_cast<std::size_t>(real(0, 40)), false});
        std::vector<std::size_t> elements;
        std::vector<double> missing;
        for (std::size_t s = 0; s < segments; ++s) {
            elements.push_back(1 + static_cast<std::size_t>(real(0, 1e6)));
            for (std::size_t d = 0; d < devices.size(); ++d)
                missing.push_back(real(0, 1) < 0.5 ? 0 : 4.0 * static_cast<double>(elements[s]));
        }
        const auto plan = make_plan(devices, elements, missing);
        check_cover(plan, devices, segments);

        const auto finish = [&](auto takes) {
            double latest = 0;
            for (unsigned d = 0; d < devices.size(); ++d) {
                double work = devices[d].fixed_us, copy = work + devices[d].first_bytes / devices[d].bytes_per_us;
                bool any = false;
                for (std::size_t s = 0; s < segments; ++s) {
                    if (!takes(s, d)) continue;
                    any = true;
                    work += static_cast<double>(elements[s]) * devices[d].element_us;
                    copy += missing[s * devices.size() + d] / devices[d].bytes_per_us;
                }
                if (any) latest = std::max({latest, work, copy});
            }
            return latest;
        };
        double best = 1e300;
        for (unsigned one = 0; one < devices.size(); ++one)
            best = std::min(best, finish([&](std::size_t, unsigned d) { return d == one; }));
        const double planned = finish([&](std::size_t s, unsigned d) {
            return std::any_of(plan.begin(), plan.end(), [&](const plan_group& g) {
                return g.device == d && s >= g.first && s < g.first + g.count;
            });
        });
        REQUIRE(planned <= best * 1.000001);
    }
}
