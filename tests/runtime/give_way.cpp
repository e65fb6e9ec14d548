// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/cores/give_way.hpp"

#include <catch2/catch.hpp>

#include <thread>

namespace
{

using skelrt::detail::give_way;
using skelrt::detail::regret_giving_way;
using namespace std::chrono_literals;

/// What one thread regrets is no other's business.
void in_a_new_thread(void (*test)()) { std::thread(test).join(); }

} // namespace

TEST_CASE("who came back late does not give way for a while", "[give_way]")
{
    in_a_new_thread([] {
        CHECK(give_way() > 0ns);
        regret_giving_way(60s); // so that no machine is too slow for this test
        CHECK(give_way() == 0ns);
    });
    in_a_new_thread([] { CHECK(give_way() > 0ns); });
}

TEST_CASE("what a user's thread takes for a call is not regretted", "[give_way]")
{
    in_a_new_thread([] {
        regret_giving_way(100us);
        CHECK(give_way() > 0ns);
    });
}

TEST_CASE("threads that share cores always give way", "[give_way]")
{
    skelrt::detail::threads_share_cores(true);
    in_a_new_thread([] {
        regret_giving_way(60s);
        CHECK(give_way() > 0ns);
    });
    skelrt::detail::threads_share_cores(false);
}
