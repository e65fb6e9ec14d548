// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/plan/planner.hpp"
#include "src/lowering/plan/cost.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <random>

using namespace skelrt::detail;

namespace
{

const plan_device cores{10, 1e-3, 1e9, 0, true, 1000};
const plan_device gpu{25, 1e-5, 50e3};

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

std::vector<plan_group> plan_of(const std::vector<plan_device>& devices, const std::vector<std::size_t>& elements,
                                const std::vector<double>& missing, const plan_rules& rules = {})
{
    return make_plan(devices, {elements, missing}, rules);
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
    const auto plan = plan_of(devices, even(32, 1000), std::vector<double>(32, 0));
    REQUIRE(plan == std::vector<plan_group>{{0, 0, 32}});
}

TEST_CASE("small work stays with its data: the first byte of a copy takes a while", "[planner]")
{
    std::vector<plan_device> devices{cores, gpu};
    const std::vector<double> on_gpu{4000, 0};
    REQUIRE(plan_of(devices, even(1, 1000), on_gpu) == std::vector<plan_group>{{0, 0, 1}});
    for (plan_device& d : devices) d.copy_us = 15;
    REQUIRE(plan_of(devices, even(1, 1000), on_gpu) == std::vector<plan_group>{{1, 0, 1}});
    REQUIRE(plan_of(devices, even(1, 1000), {0, 4000}) == std::vector<plan_group>{{0, 0, 1}});
    plan_rules many;
    many.uses = 100; // the wait is for the first of them only
    REQUIRE(plan_of({{10, 1e-5, 1e9, 0, true, 1000}, devices[1]}, even(1, 1000), on_gpu, many) ==
            std::vector<plan_group>{{0, 0, 1}});
}

TEST_CASE("what lies on the GPU and is dear stays there", "[planner]")
{
    const std::vector<plan_device> devices{cores, gpu};
    std::vector<double> missing(32 * 2, 0);
    for (std::size_t s = 0; s < 32; ++s) missing[s * 2] = 8e6; // the cores lack it
    const auto plan = plan_of(devices, even(32, 1'000'000), missing);
    check_cover(plan, devices, 32);
    REQUIRE(share_of(plan, 1) >= 31);
}

TEST_CASE("a pass bound by copies is shared, the GPU in front", "[planner]")
{
    // Per segment: 100 us on the cores, 160 us of copies for the GPU.
    const std::vector<plan_device> devices{{10, 1e-4, 1e9, 0, true, 1000}, gpu};
    std::vector<double> missing(32 * 2, 0);
    for (std::size_t s = 0; s < 32; ++s) missing[s * 2 + 1] = 8e6;
    const auto plan = plan_of(devices, even(32, 1'000'000), missing);
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
    const auto plan = plan_of(devices, even(4, 1000), missing);
    REQUIRE(plan == std::vector<plan_group>{{0, 0, 4}});
}

TEST_CASE("a steady device cuts by sizes alone", "[planner]")
{
    for (double us : {1e-6, 1e-3, 1.0}) {
        std::vector<plan_device> devices{gpu};
        devices[0].element_us = us;
        devices[0].steady = true;
        REQUIRE(plan_of(devices, even(32, 1000), std::vector<double>(32, us * 1e6)).size() == 2);
    }
}

TEST_CASE("data that many calls use goes to the faster device", "[planner]")
{
    // Per segment: 100 us on the cores; 160 us of copies for the GPU, once, and 10 us of work.
    const std::vector<plan_device> devices{{10, 1e-4, 1e9, 0, true, 1000}, gpu};
    std::vector<double> missing(32 * 2, 0);
    for (std::size_t s = 0; s < 32; ++s) missing[s * 2 + 1] = 8e6;
    plan_rules rules;
    rules.split_us = 1e6; // never
    REQUIRE(share_of(plan_of(devices, even(32, 1'000'000), missing, rules), 1) == 0);
    rules.uses = 2; // 80 us each
    REQUIRE(share_of(plan_of(devices, even(32, 1'000'000), missing, rules), 1) == 32);
}

TEST_CASE("lines that devices hand each other are dear between the cores and a GPU, less so between GPUs", "[planner]")
{
    // A hundred steps over 256 Mi floats, 1280 us each on a GPU that has them.
    const plan_device fast{5, 5e-6, 50e3}, slow{5, 1e-5, 1e9, 0, true, 32};
    std::vector<double> missing(32 * 2, 0);
    for (std::size_t s = 0; s < 32; ++s) missing[s * 2 + 1] = 8e6;
    plan_rules rules;
    rules.split_us = 400;
    rules.uses = 100;
    REQUIRE(share_of(plan_of({fast, fast}, even(32, 8'000'000), missing, rules), 1) == 16);
    REQUIRE(share_of(plan_of({fast, slow}, even(32, 2'000'000), missing, rules), 1) == 0);
    REQUIRE(share_of(plan_of({fast, fast}, even(32, 2'000'000), missing, rules), 1) ==
            0); // it saves less than the lines cost
    rules.split_us = 0;
    REQUIRE(share_of(plan_of({fast, slow}, even(32, 2'000'000), missing, rules), 1) > 0);
}

TEST_CASE("where two GPUs are the latest, both give something away", "[planner]")
{
    // A pass over 64 Mi floats in 21 tiles, from the host and back, which its memory limits: the cores and four GPUs
    // alike.
    const double n = 1 << 26;
    plan_device team{15, 6573 / n, 50400, 0, true, 32}, fast{25, 269 / n, 50400};
    team.host_bytes = 12;
    fast.home_bytes_per_us = 50400;
    std::vector<double> missing(21 * 5, 0), home(21, 4 * n / 21);
    for (std::size_t s = 0; s < 21; ++s)
        for (std::size_t d = 1; d < 5; ++d) missing[s * 5 + d] = 8 * n / 21;
    plan_rules rules;
    rules.host_bytes_per_us = 183750;
    const std::vector<plan_device> devices{team, fast, fast, fast, fast};
    const auto elements = even(21, (1 << 26) / 21);
    const auto plan = make_plan(devices, {elements, missing, {}, home}, rules);
    for (unsigned d = 1; d < 5; ++d) REQUIRE(share_of(plan, d) >= 3);
    for (unsigned d = 1; d < 5; ++d) REQUIRE(share_of(plan, d) <= 4);
}

TEST_CASE("random calls: all is covered, and no plan is slower than the best single device", "[planner]")
{
    std::mt19937 random(11);
    const auto real = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
    for (int round = 0; round < 1000; ++round) {
        const auto segments = static_cast<std::size_t>(real(1, 70));
        std::vector<plan_device> devices{{10, real(1e-5, 1e-2), 50e3, 0, true, segments}};
        for (int d = static_cast<int>(real(0, 3)); d > 0; --d)
            devices.push_back(
                {25, real(1e-6, 1e-3), real(1e3, 6e4), real(0, 1e7), false, 1 + static_cast<std::size_t>(real(0, 40))});
        std::vector<std::size_t> elements;
        std::vector<double> missing;
        for (std::size_t s = 0; s < segments; ++s) {
            elements.push_back(1 + static_cast<std::size_t>(real(0, 1e6)));
            for (std::size_t d = 0; d < devices.size(); ++d)
                missing.push_back(real(0, 1) < 0.5 ? 0 : 4.0 * static_cast<double>(elements[s]));
        }
        const auto plan = plan_of(devices, elements, missing);
        check_cover(plan, devices, segments);

        const plan_data data{elements, missing};
        double best = 1e300;
        for (unsigned one = 0; one < devices.size(); ++one)
            best = std::min(best, plan_us(devices, data, {}, std::vector<plan_group>{{one, 0, segments}}));
        const double planned = plan_us(devices, data, {}, plan);
        REQUIRE(planned <= best * 1.000001);
    }
}

namespace
{

/// The time of the best of all ways to give segments to devices.
double best_us(const std::vector<plan_device>& devices, const plan_data& data, const plan_rules& rules)
{
    const std::size_t n = data.elements.size();
    std::vector<unsigned> device(n, 0);
    double best = 1e300;
    while (true) {
        std::vector<plan_group> plan;
        for (std::size_t s = 0; s < n; ++s) plan.push_back({device[s], s, 1});
        best = std::min(best, plan_us(devices, data, rules, plan));
        std::size_t digit = 0;
        while (digit < n && ++device[digit] == devices.size()) device[digit++] = 0;
        if (digit == n) return best;
    }
}

} // namespace

TEST_CASE("small random calls: close to the best of all plans", "[planner]")
{
    std::mt19937 random(5);
    const auto real = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
    double worst = 1, sum = 0;
    constexpr int rounds = 300;
    for (int round = 0; round < rounds; ++round) {
        const bool two = real(0, 1) < 0.5;
        const auto segments = static_cast<std::size_t>(real(2, two ? 7 : 11));
        std::vector<plan_device> devices{{10, real(1e-4, 1e-2), 50e3, 0, true, segments}};
        devices.push_back({25, real(1e-6, 1e-2), real(1e3, 6e4), real(0, 1) < 0.5 ? 0 : real(0, 1e7)});
        if (two) devices.push_back({25, real(1e-6, 1e-2), real(1e3, 6e4)});
        for (plan_device& d : devices)
            d.home_bytes_per_us = real(1e3, 6e4), d.hindrance = real(0, 1), d.host_bytes = d.team ? 8 : 0;
        std::vector<std::size_t> elements;
        std::vector<double> missing, home;
        for (std::size_t s = 0; s < segments; ++s) {
            elements.push_back(1'000'000);
            home.push_back(real(0, 1) < 0.5 ? 0 : 4e6);
            for (std::size_t d = 0; d < devices.size(); ++d) missing.push_back(real(0, 1) < 0.5 ? 0 : 4e6);
        }
        plan_rules rules;
        rules.host_bytes_per_us = real(0, 1) < 0.5 ? 0 : 100e3;
        const plan_data data{elements, missing, {}, home};
        const double ratio =
            plan_us(devices, data, rules, make_plan(devices, data, rules)) / best_us(devices, data, rules);
        worst = std::max(worst, ratio);
        sum += ratio;
    }
    CHECK(worst < 1.3);
    CHECK(sum / rounds < 1.02);
}

TEST_CASE("data that lies well stays, however cheap its way elsewhere looks", "[planner]")
{
    const std::vector<plan_device> devices{cores, gpu, gpu};
    std::vector<double> missing;
    for (std::size_t s = 0; s < 21; ++s) {
        const bool first = s % 3 != 2 && s != 0; // 13 and 8 of equal GPUs, but for the moves that even them out
        for (double bytes : {24e6, first ? 0 : 24e6, first ? 24e6 : 0.0}) missing.push_back(bytes);
    }
    plan_rules rules;
    rules.uses = 100;
    const auto elements = even(21, 3'000'000);
    const auto where = [&](const std::vector<plan_group>& plan) {
        std::vector<unsigned> device;
        for (const plan_group& g : plan) device.insert(device.end(), g.count, g.device);
        return device;
    };
    const auto now = where(make_plan(devices, {elements, missing}, rules));
    std::size_t moved = 0;
    for (std::size_t s = 0; s < 21; ++s) moved += missing[s * 3 + now[s]] > 0;
    REQUIRE(moved <= 3);
    // Where they are then, they are even: nothing moves any more.
    for (std::size_t s = 0; s < 21; ++s)
        for (unsigned d = 0; d < 3; ++d) missing[s * 3 + d] = now[s] == d ? 0 : 24e6;
    REQUIRE(where(make_plan(devices, {elements, missing}, rules)) == now);
}

TEST_CASE("unequal GPUs and the cores finish together", "[planner]")
{
    const std::vector<plan_device> devices{
        {10, 1e-3, 1e9, 0, true, 1000}, {25, 1e-4, 50e3}, {25, 1e-4, 50e3}, {25, 2e-4, 50e3}};
    const auto plan = plan_of(devices, even(128, 100'000), std::vector<double>(128 * 4, 0));
    check_cover(plan, devices, 128);
    // Rates 1 : 10 : 10 : 5.
    CHECK(share_of(plan, 0) >= 4);
    CHECK(share_of(plan, 0) <= 5);
    CHECK(share_of(plan, 1) >= 48);
    CHECK(share_of(plan, 1) <= 50);
    CHECK(share_of(plan, 3) >= 24);
    CHECK(share_of(plan, 3) <= 25);
}

TEST_CASE("results that have to come home keep work on the cores", "[planner]")
{
    // Nothing to bring; 100 us a segment on the cores, 10 us on the GPU, whose results take 160 us home.
    std::vector<plan_device> devices{{10, 1e-4, 1e9, 0, true, 1000}, gpu};
    devices[1].home_bytes_per_us = 50e3;
    const auto elements = even(32, 1'000'000);
    const std::vector<double> missing(64, 0), home(32, 8e6);
    CHECK(share_of(make_plan(devices, {elements, missing}), 1) >= 29);
    const auto wanted = make_plan(devices, {elements, missing, {}, home});
    CHECK(share_of(wanted, 1) >= 11);
    CHECK(share_of(wanted, 1) <= 13);
}

TEST_CASE("copies both ways at once take longer than the longer ones alone", "[planner]")
{
    std::vector<plan_device> devices{gpu};
    devices[0].home_bytes_per_us = 50e3;
    const auto elements = even(16, 1'000'000);
    const std::vector<double> missing(16, 8e6), home(16, 4e6), none(16, 0);
    const plan_group all{0, 0, 16};
    const auto takes = [&](double hindrance, std::span<const double> results) {
        devices[0].hindrance = hindrance;
        return plan_us(devices, {elements, missing, {}, results}, {}, {&all, 1});
    };
    const double in = 16 * 160, out = 16 * 80, tail = (out + 16 * 10 + gpu.fixed_us) / 16; // of one piece: 16 overlap
    REQUIRE(takes(0, home) == Approx(in + tail));
    REQUIRE(takes(0.25, home) == Approx(in + tail + out * 0.25 * 15 / 16)); // all but the first piece's way in
    REQUIRE(takes(1, home) == Approx(in + tail + out * 15 / 16));           // they take turns
    REQUIRE(takes(1, none) == Approx(takes(0, none)));                      // nothing goes home
}

TEST_CASE("copies that hinder each other leave more work to the cores", "[planner]")
{
    // 100 us a segment on the cores; the GPU brings 160 us' worth and takes as much home.
    std::vector<plan_device> devices{{10, 1e-4, 1e9, 0, true, 1000}, gpu};
    devices[1].home_bytes_per_us = 50e3;
    std::vector<double> missing(64, 0);
    const std::vector<double> home(32, 8e6);
    for (std::size_t s = 0; s < 32; ++s) missing[s * 2 + 1] = 8e6;
    const auto on_gpu = [&](double hindrance) {
        devices[1].hindrance = hindrance;
        return share_of(make_plan(devices, {even(32, 1'000'000), missing, {}, home}), 1);
    };
    CHECK(on_gpu(0) >= 11);
    CHECK(on_gpu(0) <= 13);
    CHECK(on_gpu(1) >= 7); // 320 us a segment
    CHECK(on_gpu(1) <= 8);
    CHECK(on_gpu(0.1) <= on_gpu(0));
}

TEST_CASE("tasks are small where results go home while others are made", "[planner]")
{
    std::vector<plan_device> devices{gpu};
    devices[0].home_bytes_per_us = 50e3;
    const auto elements = even(32, 1'000'000);
    const std::vector<double> missing(32, 0), home(32, 8e6);
    plan_rules rules;
    REQUIRE(make_plan(devices, {elements, missing, {}, home}, rules).size() == 1);
    rules.goes_home = true;
    REQUIRE(make_plan(devices, {elements, missing, {}, home}, rules).size() == 16);
}

TEST_CASE("work is cut into few tasks where each takes as long as a larger one, unless copies hide it", "[planner]")
{
    // A product of matrices: 445 us on the whole, 220 for a sixteenth, which fills a part of the GPU; copies 640 and
    // 320 us.
    plan_device gpu_of_waves{10, 435.0 / 16000, 50e3};
    gpu_of_waves.piece_us = more_per_piece(445, 220, 640);
    REQUIRE(gpu_of_waves.piece_us == Approx((16 * 220 - 445) / 15.0));
    const std::vector<double> missing(16, 2e6), home(16, 1e6);
    const std::vector<std::size_t> elements = even(16, 1000);
    plan_rules rules;
    rules.goes_home = true;
    CHECK(make_plan(std::vector{gpu_of_waves}, {elements, missing, {}, home}, rules).size() == 2);

    CHECK(more_per_piece(445, 445 / 16.0, 640) == 0); // all of it grows with the size
    CHECK(more_per_piece(445, 39, 640) == 0);         // 16 of them are done while the data comes
    gpu_of_waves.piece_us = 0;
    CHECK(make_plan(std::vector{gpu_of_waves}, {elements, missing, {}, home}, rules).size() == 16);
}

TEST_CASE("what the host's memory cannot give, no split promises", "[planner]")
{
    // The team alone keeps the memory busy: 12 bytes an element at 120 GB/s. Copies would only take from it.
    std::vector<plan_device> devices{{10, 1e-4, 1e9, 0, true, 1000}, gpu};
    devices[0].host_bytes = 12;
    const auto elements = even(32, 1'000'000);
    std::vector<double> missing(64, 0);
    for (std::size_t s = 0; s < 32; ++s) missing[s * 2 + 1] = 16e6;
    plan_rules rules;
    CHECK(share_of(make_plan(devices, {elements, missing}, rules), 1) > 0);
    rules.host_bytes_per_us = 120e3;
    CHECK(share_of(make_plan(devices, {elements, missing}, rules), 1) == 0);
}

TEST_CASE("what a plan costs", "[.][speed]")
{
    std::vector<plan_device> devices{{10, 1e-4, 1e9, 0, true, 1000}};
    for (int g = 0; g < 8; ++g) devices.push_back(gpu);
    for (std::size_t count : {2u, 9u})
        for (std::size_t segments : {1u, 32u, 256u}) {
            const std::vector<plan_device> some(devices.begin(), devices.begin() + static_cast<std::ptrdiff_t>(count));
            const auto elements = even(segments, 1'000'000);
            std::vector<double> missing(segments * count, 0);
            for (std::size_t s = 0; s < segments; ++s) missing[s * count + 1] = 8e6;
            constexpr int rounds = 2000;
            std::size_t groups = 0;
            const auto begin = std::chrono::steady_clock::now();
            for (int i = 0; i < rounds; ++i) groups += make_plan(some, {elements, missing}).size();
            const std::chrono::duration<double, std::micro> us = std::chrono::steady_clock::now() - begin;
            WARN(count << " devices, " << segments << " segments: " << us.count() / rounds << " us, " << groups / rounds
                       << " groups");
        }
}

TEST_CASE("a chain on a GPU is not given away for little", "[planner]")
{
    plan_device chain = gpu;
    chain.gapless = true;
    chain.way_us = 25;
    const std::vector<plan_device> devices{chain, cores};
    const std::vector<std::size_t> elements = even(32, 62500); // 20 us of the GPU, in all
    std::vector<double> missing(64, 0);                        // both have everything
    plan_rules rules;
    rules.follows = true;
    REQUIRE(share_of(plan_of(devices, elements, missing, rules), 0) == 32);
}

namespace
{

/// A small call of a chain whose data is on a GPU: by itself it would take the cores less time.
struct small_call_of_chain {
    std::vector<plan_device> devices{{13, 0, 1, 0, true}, {35, 0, 1}};
    std::vector<std::size_t> elements{1000};
    std::vector<double> missing{16, 0};
    plan_rules rules;
    small_call_of_chain()
    {
        devices[1].gapless = true;
        devices[1].way_us = 25;
        for (plan_device& d : devices) d.copy_us = 15;
        rules.follows = true;
    }
    std::vector<double> lost() const
    {
        const plan_data data{elements, missing};
        return lost_us(devices, data, rules, make_plan(devices, data, rules));
    }
};

} // namespace

TEST_CASE("what a chain does on a GPU, one call after the other, is not lost to the cores", "[planner]")
{
    small_call_of_chain c;
    REQUIRE(c.lost()[0] < 0);
    REQUIRE(c.lost()[1] == Approx(0));
    c.rules.follows = false; // a single call pays the way there and back
    REQUIRE(c.lost()[0] == Approx(35 - 13));
}

TEST_CASE("the wait for a copy is paid for as the copy is", "[planner]")
{
    small_call_of_chain c;
    const auto device_for = [&](double part_due) {
        const std::vector<double> due{part_due * c.missing[0], 0};
        const plan_data data{c.elements, c.missing, due};
        return make_plan(c.devices, data, c.rules)[0].device;
    };
    c.rules.follows = false;
    c.devices[1].fixed_us = 30;
    REQUIRE(device_for(1) == 1); // 30 there; on the cores 13, 16 for the copy, and 15 until it begins
    REQUIRE(device_for(0.5) == 0);
    REQUIRE(device_for(0) == 0);
}

TEST_CASE("who is busy with others' calls gets what it ends first all the same", "[planner]")
{
    std::vector<plan_device> devices{cores, gpu};
    const std::vector<std::size_t> elements = even(8, 1'000'000); // 8 ms on the cores, 0.1 ms on the GPU
    const std::vector<double> missing(16, 0);
    plan_rules rules;
    rules.for_one_device = true;
    REQUIRE(share_of(plan_of(devices, elements, missing, rules), 1) == 8);
    devices[1].start_us = 5000;
    REQUIRE(share_of(plan_of(devices, elements, missing, rules), 1) == 8);
    devices[1].start_us = 9000;
    REQUIRE(share_of(plan_of(devices, elements, missing, rules), 0) == 8);
    devices[0].start_us = 3000;
    REQUIRE(share_of(plan_of(devices, elements, missing, rules), 1) == 8);
}

TEST_CASE("parts of a call end together, what others gave the devices included", "[planner]")
{
    const plan_device slow{10, 1e-3, 1e9, 0, true, 1000}, fast{10, 0.5e-3, 1e9};
    std::vector<plan_device> devices{slow, fast};
    const std::vector<std::size_t> elements = even(30, 1'000'000);
    const std::vector<double> missing(60, 0);
    REQUIRE(share_of(plan_of(devices, elements, missing), 1) == 20);
    devices[1].start_us = 6000; // as long as it takes for 12 of them
    const auto later = plan_of(devices, elements, missing);
    REQUIRE(share_of(later, 1) == 16);
    REQUIRE(plan_us(devices, {elements, missing}, {}, later) == Approx(14'010).margin(20));
    for (const double us : plan_cost(devices, {elements, missing}, {}).busy(later)) REQUIRE(us < 14'100);
}
