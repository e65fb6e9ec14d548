// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// Files of SKELRT_TRACE as data.
namespace skelrt::tool
{

enum class event_kind : std::uint8_t { call, task, copy, item, wait };
enum class row_kind : std::uint8_t { thread, device, copies };

struct traced_event {
    event_kind kind = event_kind::call;
    int rank = 0, row = 0;
    std::string name;
    double begin_us = 0, us = 0; ///< from the first rank's begin
    bool ends_unknown = false;
    std::uint64_t call = 0;  ///< its number in its rank; 0: none
    std::uint64_t times = 1; ///< so many calls in a row
    double bytes = 0, planned_us = 0;
    std::string size, device, why;
    double end_us() const { return begin_us + us; }
};

struct traced_row {
    std::string name;
    row_kind kind = row_kind::thread;
};

/// What a file says of itself.
struct traced_rank {
    int rank = 0, ranks = 1;
    std::string program, host;
    double began_unix_us = 0;
    std::uint64_t lost = 0, megabytes = 0;
};

struct trace_events {
    std::vector<traced_rank> ranks;
    std::map<std::pair<int, int>, traced_row> rows; ///< by rank and number
    std::vector<traced_event> all;                  ///< in the order of their begins
    double end_us() const;
    double begin_us() const { return all.empty() ? 0 : all.front().begin_us; }
};

/// Throws error for a file that cannot be read, is cut off, is no trace, or of a rank that another one is of.
trace_events read_traces(std::span<const std::filesystem::path> files);

/// The same as one file in the Trace Event format, times from the first rank's begin. Throws error.
void merge_traces(std::span<const std::filesystem::path> files, const std::filesystem::path& to);

} // namespace skelrt::tool
