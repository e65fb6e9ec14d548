// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/place/handle_union.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <cstdint>

using namespace skelrt::detail;

namespace
{

/// Nobody looks behind it.
starpu_data_handle_t handle(std::uintptr_t number) { return reinterpret_cast<starpu_data_handle_t>(number * 64); }

constexpr std::array modes{STARPU_R, STARPU_W, STARPU_RW};

} // namespace

TEST_CASE("what is written anew first is nobody's to bring", "[batch]")
{
    for (const starpu_data_access_mode next : modes) REQUIRE(joined_mode(STARPU_W, next) == STARPU_W);
}

TEST_CASE("what is read first has to be there, and to be written if anybody does", "[batch]")
{
    REQUIRE(joined_mode(STARPU_R, STARPU_R) == STARPU_R);
    REQUIRE(joined_mode(STARPU_R, STARPU_W) == STARPU_RW);
    REQUIRE(joined_mode(STARPU_R, STARPU_RW) == STARPU_RW);
    for (const starpu_data_access_mode next : modes) REQUIRE(joined_mode(STARPU_RW, next) == STARPU_RW);
}

TEST_CASE("each handle is there once, with its number", "[batch]")
{
    handle_union all;
    REQUIRE(all.add(handle(1), STARPU_R) == 0);
    REQUIRE(all.add(handle(2), STARPU_W) == 1);
    REQUIRE(all.add(handle(2), STARPU_R) == 1); // y = f(x), z = f(y), x = f(z)
    REQUIRE(all.add(handle(3), STARPU_W) == 2);
    REQUIRE(all.add(handle(3), STARPU_R) == 2);
    REQUIRE(all.add(handle(1), STARPU_W) == 0);
    REQUIRE(all.handles() == std::vector{handle(1), handle(2), handle(3)});
    REQUIRE(all.modes() == std::vector{STARPU_RW, STARPU_W, STARPU_W});
}

TEST_CASE("scratch stays scratch", "[batch]")
{
    handle_union all;
    all.add(handle(1), STARPU_SCRATCH);
    all.add(handle(1), STARPU_SCRATCH);
    REQUIRE(all.modes() == std::vector{STARPU_SCRATCH});
}

TEST_CASE("more handles than a task has room for", "[batch]")
{
    handle_union all;
    for (std::uintptr_t i = 0; i < 100; ++i) REQUIRE(all.add(handle(i + 1), STARPU_R) == i);
    REQUIRE(all.add(handle(1), STARPU_W) == 0);
    REQUIRE(all.size() == 100);
}
