// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/managed.hpp"

#include <catch2/catch.hpp>

using namespace skelrt::detail;

namespace
{

constexpr node_mask host = 1, gpu = 2;

/// Three tiles that the planner believes on the GPU.
struct container : managed_state {
    container()
    {
        valid = {gpu, gpu, host | gpu};
        version = 5;
    }
};

} // namespace

TEST_CASE("a tile that was written elsewhere than planned is there and nowhere else", "[moved]")
{
    container m;
    m.moved->add({1, 5, ~node_mask{0}, host});
    REQUIRE(m.valid == std::vector<node_mask>{gpu, gpu, host | gpu});
    settle_moves(m);
    REQUIRE(m.valid == std::vector<node_mask>{gpu, host, host | gpu});
    m.valid[1] = gpu; // a later call moved it back: the correction does not come twice
    settle_moves(m);
    REQUIRE(m.valid[1] == gpu);
}

TEST_CASE("a tile that was read elsewhere than planned stays where it was, and is there too", "[moved]")
{
    container m;
    m.moved->add({2, 5, gpu, host});
    m.moved->add({0, 5, 0, host});
    settle_moves(m);
    REQUIRE(m.valid == std::vector<node_mask>{host | gpu, gpu, host});
}

TEST_CASE("what was written since, or cut off, is not corrected", "[moved]")
{
    container m;
    m.moved->add({1, 4, ~node_mask{0}, host});
    m.moved->add({3, 5, ~node_mask{0}, host});
    settle_moves(m);
    REQUIRE(m.valid == container().valid);
}
