// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/trace/trace_memory.hpp"
#include "src/trace/trace_setting.hpp"

#include <cstdio>
#include <span>
#include <string>
#include <vector>

/// Records as a file in the Trace Event format, which Perfetto and chrome://tracing read. Pure.
namespace skelrt::detail
{

/// What the file says besides its records.
struct trace_header {
    trace_setting setting;
    std::uint64_t began_ns = 0;       ///< when recording began: the file's times count from here
    double began_unix_us = 0;         ///< the same moment by the machine's clock: what ranks have in common
    std::uint64_t lost = 0;           ///< older records that made room
    std::vector<std::string> threads; ///< names, by number
    std::string program, host;
};

/// `text` between quotes, as JSON wants it; what is no UTF-8 becomes "?".
std::string json_text(std::string_view text);

/// False: the file took not all of it.
bool write_trace(std::FILE* to, const trace_header& h, std::vector<trace_memory::entry> entries);

} // namespace skelrt::detail
