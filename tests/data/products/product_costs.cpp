// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/products/product_costs.hpp"

#include <catch2/catch.hpp>

using namespace skelrt::detail;

namespace
{

constexpr double mib = 1 << 20, gib = 1 << 30;

product_sizes square(double bytes, unsigned rows, unsigned cols)
{
    return {bytes, bytes, bytes, rows, cols, 16, cols == 1, 64 * gib};
}

} // namespace

TEST_CASE("large right sides travel by panels", "[products]")
{
    CHECK_FALSE(is_for_panels(square(mib, 4, 1), {}));
    CHECK_FALSE(is_for_panels(square(7.9 * gib, 4, 1), {}));
    CHECK(is_for_panels(square(8 * gib, 4, 1), {}));
}

TEST_CASE("matrices in grids stay where they are if that takes less of the network", "[products]")
{
    CHECK(is_for_panels(square(mib, 2, 2), {}));
    const message_cost wire{2, 1, 1e-4, 0}, slow_to_start{1000, 1000, 1e-9, 0};
    CHECK(is_for_panels(square(mib, 2, 2), wire));
    CHECK_FALSE(is_for_panels(square(mib, 2, 2), slow_to_start)); // 32 messages for 9
    CHECK(traffic_of_panels(square(8, 2, 2)).bytes == 4);
    CHECK(traffic_of_panels(square(8, 4, 2)).bytes == 1 + 3);
    CHECK(traffic_of_copies(square(8, 4, 1)).bytes == 6);
}
