// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/plan/grain.hpp"

#include <catch2/catch.hpp>

#include <vector>

using namespace skelrt::detail;

namespace
{

/// 48 MiB on cores that stream 100 GB/s, and a GPU at the end of a link of 50 GB/s; so dear is the function.
std::vector<load> cores_and_gpu(double cores_us, double gpu_us) { return {{cores_us}, {gpu_us, 640, 320}}; }

} // namespace

TEST_CASE("devices that would share a call get tiles to share", "[grain]")
{
    REQUIRE(choose_grain(cores_and_gpu(1000, 40), 1, 2) >= 8);
}

TEST_CASE("a call that it costs more to share than it gains stays coarse", "[grain]")
{
    REQUIRE(choose_grain(cores_and_gpu(700, 40), 1, 2) > 1);
    REQUIRE(choose_grain(cores_and_gpu(700, 40), 1, 2, 400) == 1);
}

TEST_CASE("what one device does best stays coarse", "[grain]")
{
    REQUIRE(choose_grain(cores_and_gpu(200, 40), 1, 2) == 1); // the cores, before the data is on the GPU
    REQUIRE(choose_grain(cores_and_gpu(20000, 4000), 32, 2) == 32);
}

TEST_CASE("copies overlap with work in several tiles, one device or two", "[grain]")
{
    const std::vector<load> gpu{{600, 640, 320}};
    REQUIRE(choose_grain(gpu, 1, 2) >= 4);
}

TEST_CASE("short calls stay whole", "[grain]")
{
    const std::vector<load> short_call{{120}, {60, 5, 5}};
    REQUIRE(choose_grain(short_call, 1, 2) == 1);
}

TEST_CASE("handles are not free", "[grain]") { REQUIRE(choose_grain(cores_and_gpu(1000, 40), 1, 100) == 1); }
