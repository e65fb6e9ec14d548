// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/tool/trace/events.hpp"

#include <filesystem>

namespace skelrt::tool
{

/// A PNG: one line a row, with how busy it was; colours are calls'. Throws error.
void draw_trace(const trace_events& t, const std::filesystem::path& file);

} // namespace skelrt::tool
