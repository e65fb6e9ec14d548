// SPDX-License-Identifier: BSD-3-Clause
/// Data knows the episode that used it last: what a device would have to fetch for a whole episode is counted once.
/// Exit code 77 without a second kind of device: then nothing chooses among ways.

#include "src/data/managed.hpp"

#include "../plans/with_opencl.hpp"

#include <skelrt/skelrt.hpp>

#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdint>

namespace sk = skelrt;
using namespace skelrt::detail;

namespace
{

const auto one_more = sk::map(SKELRT_FN((float x) { return x + 1; }));

std::uint64_t episode_of(const sk::vector<float>& x) { return x.storage()->managed.load()->episode; }

} // namespace

TEST_CASE("calls until the host waits for the last are one episode of their data", "[episodes]")
{
    const sk::vector<float> x(100'000, 1.0f);
    const sk::vector<float> y = one_more(x), z = one_more(y);
    const std::uint64_t first = episode_of(z);
    REQUIRE(first > 0);
    REQUIRE(episode_of(x) == first);
    REQUIRE(episode_of(y) == first);
    sk::wait(z);
    const sk::vector<float> w = one_more(x);
    REQUIRE(episode_of(w) > first);
    REQUIRE(episode_of(x) == episode_of(w));
    REQUIRE(episode_of(z) == first);
    REQUIRE(sk::host_read(w)[99'999] == 2);
}

int main(int argc, char** argv) { return run_with_opencl(argc, argv, {}); }
