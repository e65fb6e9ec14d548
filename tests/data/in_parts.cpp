// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/memory/copy_bytes.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

using namespace skelrt::detail;

// No runtime lives here: many bytes are done by threads of their own.
TEST_CASE("each byte is in one part", "[data][parts]")
{
    const std::size_t bytes = GENERATE(0, 1, 4096, (std::size_t{1} << 20) + 1, (std::size_t{4} << 20) + 3, 20'000'003);
    std::vector<unsigned char> visits(bytes, 0);
    in_parts(bytes, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) ++visits[i];
    });
    CHECK(std::ranges::count(visits, 1) == static_cast<std::ptrdiff_t>(bytes));
}

TEST_CASE("bytes are copied in parts", "[data][parts]")
{
    std::vector<std::byte> from(9'000'001), to(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::byte>(i * 31 >> 3);
    copy_bytes(to.data(), from.data(), from.size());
    CHECK(to == from);
}
