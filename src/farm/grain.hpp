// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>

namespace skelrt::detail
{

inline constexpr double long_piece_us = 100;

/// How many of some small things a thread does in a piece, after so many took `us`: pieces of some 50 us cost little,
/// and others soon get what they wait for.
inline std::size_t next_grain(std::size_t now, double us, std::size_t most) noexcept
{
    constexpr double short_piece_us = 25;
    if (us < short_piece_us) return std::min(2 * now, most);
    return us > long_piece_us ? std::max<std::size_t>(now / 2, 1) : now;
}

} // namespace skelrt::detail
