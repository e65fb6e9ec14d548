// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/caller/in_parts.hpp"

#include <skelrt/runtime.hpp>

#include <catch2/catch.hpp>

#include <atomic>
#include <stdexcept>
#include <vector>

using namespace skelrt::detail;

TEST_CASE("parts cover everything once, however few there are", "[in parts]")
{
    const skelrt::runtime rt;
    for (const std::size_t count : {0u, 1u, 2u, 7u, 1'000u, 100'003u})
        for (const std::size_t least : {1u, 3u, 1'000u}) {
            CAPTURE(count, least);
            std::vector<int> times(count, 0);
            std::atomic<int> parts{0};
            in_parts(count, least, [&](std::size_t first, std::size_t last) {
                ++parts;
                for (std::size_t i = first; i < last; ++i) ++times[i];
            });
            CHECK(times == std::vector<int>(count, 1));
            CHECK(parts >= 1);
            if (count < 2 * least) CHECK(parts == 1);
        }
}

TEST_CASE("what a part throws reaches the caller, and the next call goes on", "[in parts]")
{
    const skelrt::runtime rt;
    for (const std::size_t wrong : {0u, 5'000u, 9'999u}) {
        const auto throwing = [&](std::size_t first, std::size_t last) {
            if (first <= wrong && wrong < last) throw std::runtime_error("on purpose");
        };
        CHECK_THROWS_AS(in_parts(10'000, 1, throwing), std::runtime_error);
    }
    std::atomic<std::size_t> sum{0};
    in_parts(10'000, 1, [&](std::size_t first, std::size_t last) { sum += last - first; });
    CHECK(sum == 10'000);
}
