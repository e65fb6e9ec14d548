// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/memory/small_memory.hpp"

#include "src/program/program.hpp"

#include <catch2/catch.hpp>
#include <skelrt/detail/items/recycled.hpp>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using skelrt::detail::choose_gpu_allocator;

namespace
{

std::string suballocator()
{
    const char* const value = std::getenv("STARPU_SUBALLOCATOR");
    return value ? value : "unset";
}

} // namespace

TEST_CASE("GPUs with little memory allocate each buffer for itself", "[runtime]")
{
    unsetenv("STARPU_SUBALLOCATOR");
    unsetenv("STARPU_LIMIT_CUDA_MEM");
    choose_gpu_allocator();
    REQUIRE(suballocator() == "unset");
    setenv("STARPU_LIMIT_CUDA_MEM", "64", 1);
    choose_gpu_allocator();
    REQUIRE(suballocator() == "0");
    choose_gpu_allocator(); // another runtime
    REQUIRE(suballocator() == "0");
    setenv("STARPU_LIMIT_CUDA_MEM", "20000", 1);
    choose_gpu_allocator();
    REQUIRE(suballocator() == "unset");
    setenv("STARPU_LIMIT_CUDA_1_MEM", "100", 1);
    choose_gpu_allocator();
    REQUIRE(suballocator() == "0");
    unsetenv("STARPU_LIMIT_CUDA_1_MEM");
    choose_gpu_allocator();
    REQUIRE(suballocator() == "unset");
}

TEST_CASE("what the user says of StarPU's allocator holds", "[runtime]")
{
    setenv("STARPU_SUBALLOCATOR", "1", 1);
    setenv("STARPU_LIMIT_CUDA_MEM", "64", 1);
    choose_gpu_allocator();
    REQUIRE(suballocator() == "1");
    unsetenv("STARPU_LIMIT_CUDA_MEM");
    choose_gpu_allocator();
    REQUIRE(suballocator() == "1");
    unsetenv("STARPU_SUBALLOCATOR");
}

TEST_CASE("What has gone leaves its memory to the next of its size, in the thread where it went", "[runtime]")
{
    using numbers = std::vector<int>;
    const auto make = [](int n) { return std::allocate_shared<numbers>(skelrt::detail::recycling<numbers>(), 3, n); };
    std::vector<std::shared_ptr<numbers>> all;
    for (int n = 0; n < 50'000; ++n) all.push_back(make(n)); // more than it keeps
    all.resize(7);
    for (int n = 7; n < 50'000; ++n) all.push_back(make(n));
    for (int n = 0; n < 50'000; ++n) REQUIRE(*all[static_cast<std::size_t>(n)] == numbers(3, n));
    std::thread([&] { all.clear(); }).join();
    REQUIRE(*make(5) == numbers(3, 5));

    const auto take_and_give = [](std::size_t bytes) {
        void* const memory = skelrt::detail::take_recycled(bytes);
        skelrt::detail::give_recycled(memory, bytes);
        return memory;
    };
    for (const std::size_t bytes : {0u, 1u, 64u, 65u, 1024u, 1025u, 100'000u}) REQUIRE(take_and_give(bytes));
}

TEST_CASE("A program waits until few enough of what it began are left", "[runtime]")
{
    constexpr std::uint32_t all = 1000, few = 10;
    skelrt::detail::in_flight_count count;
    for (int round = 0; round < 20; ++round) {
        for (std::uint32_t n = 0; n < all; ++n) count.begins();
        REQUIRE(count.now() == all);
        REQUIRE(count.exceeds(all - 1));
        REQUIRE_FALSE(count.exceeds(all));
        std::thread worker([&] {
            for (std::uint32_t n = 0; n < all; ++n) count.end(1);
        });
        count.wait(few);
        REQUIRE(count.now() <= few);
        count.wait(0);
        worker.join();
        REQUIRE(count.now() == 0);
        REQUIRE_FALSE(count.exceeds(0));
    }
}
