// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/memory/small_memory.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <string>

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
