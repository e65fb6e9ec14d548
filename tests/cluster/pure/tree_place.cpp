// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/reductions/tree_place.hpp"

#include <catch2/catch.hpp>

#include <numeric>
#include <vector>

using namespace skelrt::detail;

namespace
{

/// Places in the order in which their values are combined: a place, then its children's subtrees.
void add_subtree(std::size_t place, std::size_t places, std::vector<std::size_t>& order)
{
    order.push_back(place);
    for (const std::size_t child : children_in_tree(place, places)) {
        CHECK(parent_in_tree(child) == place);
        add_subtree(child, places, order);
    }
}

} // namespace

TEST_CASE("a tree of places combines all of them in their order")
{
    for (std::size_t places = 1; places <= 70; ++places) {
        std::vector<std::size_t> order, wanted(places);
        std::iota(wanted.begin(), wanted.end(), std::size_t{0});
        add_subtree(0, places, order);
        CHECK(order == wanted);
    }
}
