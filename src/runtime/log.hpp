// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <fmt/core.h>

#include <atomic>
#include <cstdint>
#include <string_view>

/// The library's own messages, on stderr, one line each: "skelrt: warning: text". SKELRT_LOG sets how much is said.
namespace skelrt::detail
{

enum class log_level : std::uint8_t { trace, debug, info, warning, error, off };

/// Reads SKELRT_LOG; throws error if it makes no sense. For the runtime's start: before it, and in programs without a
/// runtime, the first message sets up the log, and a bad value counts as "warning".
void start_log();
/// From here on messages begin with the rank: "skelrt: rank 2: warning: text".
void name_rank_in_log(int rank);
/// The least level that is seen, since the log was set up: before, messages of all levels are made, and then dropped.
inline constinit std::atomic<log_level> least_level_seen{log_level::trace};
/// Whether a message of this level would be seen: for messages that cost something to make. One relaxed load.
inline bool log_enabled(log_level level) noexcept { return level >= least_level_seen.load(std::memory_order_relaxed); }
/// Writes a message if its level is enabled; never throws. Thread-safe.
void write_log(log_level level, fmt::string_view format, fmt::format_args args) noexcept;

/// "skelrt: text", whatever SKELRT_LOG says. Never throws. Thread-safe.
void write_line(std::string_view text) noexcept;

template <class... Args>
void log_trace(fmt::format_string<Args...> format, Args&&... args)
{
    write_log(log_level::trace, format, fmt::make_format_args(args...));
}
template <class... Args>
void log_debug(fmt::format_string<Args...> format, Args&&... args)
{
    write_log(log_level::debug, format, fmt::make_format_args(args...));
}
template <class... Args>
void log_info(fmt::format_string<Args...> format, Args&&... args)
{
    write_log(log_level::info, format, fmt::make_format_args(args...));
}
template <class... Args>
void log_warning(fmt::format_string<Args...> format, Args&&... args)
{
    write_log(log_level::warning, format, fmt::make_format_args(args...));
}
template <class... Args>
void log_error(fmt::format_string<Args...> format, Args&&... args)
{
    write_log(log_level::error, format, fmt::make_format_args(args...));
}

} // namespace skelrt::detail
