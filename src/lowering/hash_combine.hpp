// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace skelrt::detail
{

/// One more value for a hash that tells states apart.
constexpr std::uint64_t hash_combine(std::uint64_t hash, std::uint64_t value) noexcept
{
    return (hash ^ value) * 0x9E3779B97F4A7C15u + (hash >> 29);
}

} // namespace skelrt::detail
