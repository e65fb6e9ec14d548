// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/memory/memory.hpp"

#include <catch2/catch.hpp>

#include <cstring>
#include <vector>

using namespace skelrt::detail;

TEST_CASE("small blocks are kept if they are pinned, and serve containers of about their size only", "[blocks]")
{
    std::vector<memory_block> taken;
    for (int i = 0; i < 3; ++i) {
        memory_block b = allocate_block(100'000);
        std::memset(b.data, i, 100'000);
        b.pinned = true; // as the driver would have it
        taken.push_back(b);
    }
    REQUIRE(taken[0].data != taken[1].data);
    const std::size_t used = bytes_in_use();
    free_block(taken[1]);
    CHECK(bytes_in_use() == used - taken[1].bytes);
    const memory_block other = allocate_block(150'000);
    CHECK_FALSE(other.pinned);
    free_block(other);
    const memory_block again = allocate_block(100'000);
    CHECK(again.data == taken[1].data);
    CHECK(again.pinned);
    CHECK(bytes_in_use() == used);
    for (memory_block b : {taken[0], again, taken[2]}) {
        b.pinned = false; // there is no driver that could let it go
        free_block(b);
    }
    const memory_block plain = allocate_block(100'000);
    CHECK_FALSE(plain.pinned);
    free_block(plain);
}

TEST_CASE("blocks that are too small to pin are never kept", "[blocks]")
{
    const memory_block b = allocate_block(64);
    const std::size_t used = bytes_in_use();
    free_block(b);
    CHECK(bytes_in_use() == used - b.bytes);
}
