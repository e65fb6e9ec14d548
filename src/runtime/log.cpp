// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/log.hpp"

#include "src/runtime/environment/environment.hpp"

#include <skelrt/error.hpp>

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <atomic>
#include <cstdio>
#include <memory>
#include <string>

namespace skelrt::detail
{

namespace
{

spdlog::level::level_enum spdlog_level(log_level level) noexcept
{
    switch (level) {
    case log_level::trace:
        return spdlog::level::trace;
    case log_level::debug:
        return spdlog::level::debug;
    case log_level::info:
        return spdlog::level::info;
    case log_level::warning:
        return spdlog::level::warn;
    case log_level::error:
        return spdlog::level::err;
    case log_level::off:
        break;
    }
    return spdlog::level::off;
}

/// From SKELRT_LOG; throws error for a bad value.
log_level wanted_level()
{
    const auto choice = env_choice("SKELRT_LOG", {"trace", "debug", "info", "warning", "error", "off"});
    return choice ? static_cast<log_level>(*choice) : log_level::warning;
}

log_level wanted_level_or_warning() noexcept
{
    try {
        return wanted_level();
    } catch (...) {
        return log_level::warning;
    }
}

void set_level(spdlog::logger& log, log_level level)
{
    log.set_level(spdlog_level(level));
    least_level_seen.store(level, std::memory_order_relaxed);
}

/// Never destroyed: worker threads and static destructors may still have something to say.
/// Not in spdlog's registry, so that a program that uses spdlog keeps its own settings.
spdlog::logger& logger()
{
    static spdlog::logger& log = []() -> spdlog::logger& {
        auto& l = *new spdlog::logger("skelrt", std::make_shared<spdlog::sinks::stderr_sink_mt>());
        l.set_pattern("skelrt: %l: %v");
        set_level(l, wanted_level_or_warning());
        l.flush_on(spdlog::level::trace);
        return l;
    }();
    return log;
}

std::atomic<int> rank_in_log{-1};

} // namespace

void start_log() { set_level(logger(), wanted_level()); }

void name_rank_in_log(int rank)
{
    rank_in_log.store(rank, std::memory_order_relaxed);
    logger().set_pattern(fmt::format("skelrt: rank {}: %l: %v", rank));
}

void write_line(std::string_view text) noexcept
{
    try {
        const int rank = rank_in_log.load(std::memory_order_relaxed);
        const std::string line =
            rank < 0 ? fmt::format("skelrt: {}\n", text) : fmt::format("skelrt: rank {}: {}\n", rank, text);
        std::fputs(line.c_str(), stderr); // one piece: others write, too
    } catch (...) {
        // A line that cannot be written must not stop the program.
    }
}

void write_log(log_level level, fmt::string_view format, fmt::format_args args) noexcept
{
    if (!log_enabled(level)) return;
    try {
        const std::string text = fmt::vformat(format, args);
        logger().log(spdlog_level(level), spdlog::string_view_t(text));
    } catch (...) {
        // A message that cannot be written must not stop the program.
    }
}

} // namespace skelrt::detail
