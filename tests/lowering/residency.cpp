// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/residency.hpp"
#include "src/lowering/plan/planner.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <vector>

using namespace skelrt::detail;

namespace
{

constexpr unsigned host = 0, gpu = 1;

/// One tile, calls that take so long here and there, and a copy: what a program pays that plans each call by itself.
double online_us(const std::vector<double>& here, const std::vector<double>& there, double copy_us)
{
    residency moves;
    bool moved = false;
    double total = 0;
    for (std::size_t i = 0; i < here.size(); ++i) {
        const std::vector<plan_device> devices{{0, here[i], 1, 0, true}, {0, there[i], 1}};
        const std::vector<std::size_t> elements{1};
        const double missing_bytes = moved ? 0 : copy_us;
        const std::vector<double> missing{0, missing_bytes}, due{0, missing_bytes * (1 - moves.paid(0, gpu))};
        const plan_data data{elements, missing, due};
        const auto plan = make_plan(devices, data);
        if (plan[0].device == gpu) {
            total += there[i] + missing_bytes;
            moved = true;
            moves.forget(0);
        } else {
            total += here[i];
            moves.pay(0, gpu, (here[i] - there[i]) / copy_us);
        }
    }
    return total;
}

/// Who knows the future moves before some call, or never.
double offline_us(const std::vector<double>& here, const std::vector<double>& there, double copy_us)
{
    double best = 1e300;
    for (std::size_t move = 0; move <= here.size(); ++move) {
        double total = move < here.size() ? copy_us : 0;
        for (std::size_t i = 0; i < here.size(); ++i) total += i < move ? here[i] : there[i];
        best = std::min(best, total);
    }
    return best;
}

} // namespace

TEST_CASE("a tile moves once the time lost has paid for it", "[residency]")
{
    // 10 us lost a call, 35 us to move: three calls stay, the fourth moves.
    const std::vector<double> here(20, 12), there(20, 2);
    REQUIRE(online_us(here, there, 35) == Approx(3 * 12 + 35 + 17 * 2));
    REQUIRE(offline_us(here, there, 35) == Approx(35 + 20 * 2));
}

TEST_CASE("never more than twice of what knowing the future would cost", "[residency]")
{
    std::mt19937 random(3);
    const auto real = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
    double worst = 0;
    for (int round = 0; round < 2000; ++round) {
        const auto calls = static_cast<std::size_t>(real(1, 40));
        const double copy_us = real(1, 300);
        std::vector<double> here, there;
        for (std::size_t i = 0; i < calls; ++i) {
            there.push_back(real(0.1, 10));
            here.push_back(there.back() + real(0, 20)); // the GPU is never slower
        }
        worst = std::max(worst, online_us(here, there, copy_us) / offline_us(here, there, copy_us));
    }
    INFO("worst " << worst);
    REQUIRE(worst <= 2.0);
    REQUIRE(worst > 1.3); // these calls are hard enough to tell
}

TEST_CASE("what is paid is kept per tile and node, and handed on", "[residency]")
{
    residency moves;
    REQUIRE(moves.paid(5, 3) == 0);
    for (int i = 0; i < 100; ++i) moves.pay(5, 3, 0.001); // small losses add up
    REQUIRE(moves.paid(5, 3) == Approx(0.1).margin(1.0 / 64));
    moves.pay(5, 3, 7);
    REQUIRE(moves.paid(5, 3) == 1);
    REQUIRE(moves.paid(4, 3) == 0);
    REQUIRE(moves.paid(5, host) == 0);
    moves.inherit(4, 3, 0.5);
    moves.inherit(4, 3, 0.25);
    REQUIRE(moves.paid(4, 3) == 0.5);
    moves.forget(5);
    REQUIRE(moves.paid(5, 3) == 0);
    REQUIRE(moves.paid(4, 3) == 0.5);
    moves.forget(100);
}
