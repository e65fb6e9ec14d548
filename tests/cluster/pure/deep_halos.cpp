// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/steps/deep_halos.hpp"

#include <catch2/catch.hpp>

using namespace skelrt::detail;

namespace
{

/// What a step takes beyond one of a rank alone.
double step_us(const halo_costs& c, unsigned k) { return c.message_us / k + (k - 1) * c.reach * c.line_us; }

} // namespace

TEST_CASE("steps of an exchange cost least")
{
    for (const double message_us : {0.5, 20.0, 300.0})
        for (const double line_us : {0.01, 1.0, 50.0})
            for (const unsigned reach : {1u, 2u, 5u}) {
                const halo_costs costs{message_us, line_us, reach};
                const unsigned best = best_steps(costs, 64);
                for (unsigned k = 1; k <= 64; ++k) // rounded down: a step more may be a little better
                    CHECK(step_us(costs, best) <= step_us(costs, k) + reach * line_us);
            }
}

TEST_CASE("one step where nobody knows the network, all where lines cost nothing")
{
    CHECK(best_steps({-1, 1, 1}, 64) == 1);
    CHECK(best_steps({0, 1, 1}, 64) == 1);
    CHECK(best_steps({30, 0, 1}, 64) == 64);
    CHECK(best_steps({1e9, 1, 1}, 8) == 8);
}

TEST_CASE("steps for caches repeat little")
{
    for (const std::size_t shortest : {1u, 7u, 100u, 100000u})
        for (const unsigned reach : {1u, 3u}) {
            const unsigned k = steps_for_caches(shortest, reach);
            CHECK(k >= 1);
            CHECK((k - 1) * reach * 8 <= shortest);
        }
}

TEST_CASE("lines come from the next ranks alone")
{
    CHECK(most_steps(100, 1, 8) == 8);
    CHECK(most_steps(5, 1, 8) == 5);
    CHECK(most_steps(5, 2, 8) == 2);
    CHECK(most_steps(1, 3, 8) == 1);
}
