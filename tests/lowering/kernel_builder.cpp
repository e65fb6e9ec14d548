// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/decide/kernels/kernel_builder.hpp"
#include "src/lowering/decide/choices.hpp"
#include "src/lowering/decide/tuning.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <latch>
#include <memory>
#include <thread>
#include <vector>

namespace
{

using namespace skelrt::detail;
using skelrt::device;

device_way kernels_of(std::uint32_t recipe, int gpu = 0) { return {recipe, device::cuda, gpu}; }

} // namespace

TEST_CASE("kernels are built one after the other, as they were asked for", "[kernel builder]")
{
    kernel_builder builder;
    CHECK_FALSE(builder.is_busy());
    std::latch go(1);
    std::vector<std::uint32_t> built;
    for (const std::uint32_t recipe : {3u, 1u, 2u})
        builder.add(kernels_of(recipe), [&go, &built, recipe] {
            go.wait();
            built.push_back(recipe);
        });
    CHECK(builder.is_busy());
    CHECK(builder.is_building(kernels_of(3)));
    CHECK(builder.is_building(kernels_of(2)));
    CHECK_FALSE(builder.is_building(kernels_of(2, 1)));
    CHECK_FALSE(builder.is_building(kernels_of(4)));
    go.count_down();
    builder.wait_for_all();
    CHECK(built == std::vector<std::uint32_t>{3, 1, 2});
    builder.wait_for_all();
    CHECK_FALSE(builder.is_busy());
    CHECK(builder.left_us(0) == 0);
}

TEST_CASE("what is asked for twice is built once, and again when that is done", "[kernel builder]")
{
    kernel_builder builder;
    std::latch go(1);
    std::atomic<int> built{0};
    const auto build = [&] { go.wait(), ++built; };
    builder.add(kernels_of(1), build);
    builder.add(kernels_of(1), build);
    go.count_down();
    builder.wait_for_all();
    CHECK(built == 1);
    builder.add(kernels_of(1), build);
    builder.wait_for_all();
    CHECK(built == 2);
}

TEST_CASE("who needs kernels now builds them, if nobody has begun", "[kernel builder]")
{
    kernel_builder builder;
    std::latch begun(1), go(1);
    std::atomic<int> built{0};
    builder.add(kernels_of(1), [&] { begun.count_down(), go.wait(), ++built; });
    builder.add(kernels_of(2), [&] { built += 10; });
    begun.wait();
    builder.leave(kernels_of(2));
    CHECK_FALSE(builder.is_building(kernels_of(2)));
    CHECK(builder.is_building(kernels_of(1)));
    CHECK(built == 0);
    std::thread other([&] { go.count_down(); });
    builder.leave(kernels_of(1));
    CHECK(built == 1);
    other.join();
    builder.leave(kernels_of(3)); // which nobody asked for
    CHECK_FALSE(builder.is_busy());
}

TEST_CASE("the time that is left grows with what is asked for", "[kernel builder]")
{
    kernel_builder builder;
    const double unknown = builder.left_us(1);
    CHECK(unknown > 0);
    CHECK(builder.left_us(2) == Approx(2 * unknown));
    builder.add(kernels_of(1), [] {});
    builder.wait_for_all();
    CHECK(builder.left_us(1) < unknown / 2); // that one took next to nothing
}

TEST_CASE("what the cores were given adds up, and goes by", "[kernel builder]")
{
    kernel_builder builder;
    CHECK(builder.cores_have_us() == 0);
    builder.give_cores(1e9);
    builder.give_cores(1e9);
    CHECK(builder.cores_have_us() > 1.9e9);
    CHECK(builder.cores_have_us() <= 2e9);
}

TEST_CASE("an end waits for what has begun, and drops the rest", "[kernel builder]")
{
    std::latch begun(1), go(1);
    std::atomic<int> built{0};
    kernel_builder builder;
    builder.add(kernels_of(1), [&] { begun.count_down(), go.wait(), ++built; });
    builder.add(kernels_of(2), [&] { ++built; });
    begun.wait();
    std::thread other([&] { std::this_thread::sleep_for(std::chrono::milliseconds(20)), go.count_down(); });
    builder.end_after(std::chrono::milliseconds(0));
    other.join();
    CHECK(built == 1);
    CHECK_FALSE(builder.is_busy());
    builder.add(kernels_of(3), [&] { ++built; });
    CHECK_FALSE(builder.is_busy());
    CHECK(built == 1);
}

TEST_CASE("an end goes on with what was asked for while there is time", "[kernel builder]")
{
    std::atomic<int> built{0};
    kernel_builder builder;
    for (std::uint32_t recipe = 0; recipe < 3; ++recipe) builder.add(kernels_of(recipe), [&] { ++built; });
    builder.end_after(std::chrono::minutes(1));
    CHECK(built == 3);
}

TEST_CASE("eight threads ask for kernels and wait for them", "[kernel builder]")
{
    kernel_builder builder;
    constexpr std::uint32_t recipes = 50;
    std::vector<std::atomic<int>> built(recipes);
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t)
        threads.emplace_back([&] {
            for (std::uint32_t r = 0; r < recipes; ++r) {
                builder.add(kernels_of(r), [&built, r] { ++built[r]; });
                builder.wait_for_all();
            }
        });
    for (std::thread& t : threads) t.join();
    for (const auto& times : built) CHECK(times >= 1);
    CHECK_FALSE(builder.is_busy());
}

TEST_CASE("cores do what takes them less than the kernels", "[kernel builder]")
{
    CHECK(is_for_cores_meanwhile(1000, 3e5));
    CHECK_FALSE(is_for_cores_meanwhile(1e6, 3e5));
    CHECK_FALSE(is_for_cores_meanwhile(1000, 0));
}

TEST_CASE("a device's first kernels are paid for by all calls that do without, the others each by its own",
          "[kernel builder]")
{
    constexpr double first_load_us = tuning::loads_of_calls.first, load_us = tuning::loads_of_calls.one;
    kernel_builder builder;
    CHECK_FALSE(builder.is_worth_loading(kernels_of(1), 0.6 * first_load_us, 1));
    CHECK_FALSE(builder.is_worth_loading(kernels_of(1, 1), 0.6 * first_load_us, 1)); // another GPU
    CHECK_FALSE(builder.is_worth_loading(kernels_of(2), 0, 1000));
    CHECK(builder.is_worth_loading(kernels_of(2), 0.3 * first_load_us, 2));
    CHECK(builder.first_use_us() == first_load_us);
    builder.note_loaded(kernels_of(2));
    CHECK(builder.first_use_us() == 0);
    CHECK_FALSE(builder.is_worth_loading(kernels_of(3), 0.6 * load_us, 1));
    CHECK_FALSE(builder.is_worth_loading(kernels_of(4), 0.6 * load_us, 1));
    CHECK(builder.is_worth_loading(kernels_of(3), 0.6 * load_us, 1));
    CHECK(builder.is_worth_loading(kernels_of(1), 1, 1)); // it has lost enough by now
    CHECK_FALSE(builder.is_worth_loading(kernels_of(5, 1), 0.3 * first_load_us, 1));
}

TEST_CASE("memory that the cores write has to be pinned once, however often they do", "[kernel builder]")
{
    constexpr double load_us = tuning::loads_of_calls.first;
    const int first = 0, second = 0;
    const auto of = [](const int& memory) { return kernel_builder::unpinned{&memory, 0.4 * load_us}; };
    const std::array one{of(first)}, other{of(second)};

    kernel_builder loop;
    for (int k = 0; k < 40; ++k) CHECK_FALSE(loop.is_worth_loading(kernels_of(1), 0.01 * load_us, 1, one));
    for (int k = 0; k < 19; ++k) CHECK_FALSE(loop.is_worth_loading(kernels_of(1), 0.01 * load_us, 1, one));
    CHECK(loop.is_worth_loading(kernels_of(1), 0.01 * load_us, 2, one)); // 0.4, and 0.6 by calls

    kernel_builder fresh;
    CHECK_FALSE(fresh.is_worth_loading(kernels_of(1), 0.1 * load_us, 1, one));
    CHECK_FALSE(fresh.is_worth_loading(kernels_of(1), 0, 1, other)); // no gain, nothing lost
    CHECK(fresh.is_worth_loading(kernels_of(1), 0.1 * load_us, 1, other));
}

TEST_CASE("what was loaded beside the program's start takes less", "[kernel builder]")
{
    kernel_builder builder;
    std::atomic<bool> loaded{false}, stopped{false};
    builder.load_beside([&](const std::stop_token& ends) {
        loaded = true;
        while (!ends.stop_requested()) std::this_thread::yield();
        stopped = true;
    });
    CHECK(builder.first_use_us() == tuning::loads_begun_before.first);
    CHECK(builder.is_worth_loading(kernels_of(1), tuning::loads_begun_before.first, 1));
    CHECK_FALSE(builder.is_busy()); // nothing that calls wait for
    builder.end();
    CHECK(loaded);
    CHECK(stopped); // a short program waits for no kernel that it did not want
}
