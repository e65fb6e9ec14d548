// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstdint>

namespace skelrt::detail
{

/// Nanoseconds of a clock that never goes back.
inline std::uint64_t now_ns() noexcept
{
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}
/// The same in microseconds.
inline double now_us() noexcept { return static_cast<double>(now_ns()) * 1e-3; }

} // namespace skelrt::detail
