// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <vector>

namespace skelrt::tool
{

/// What `skelrt trace` is told.
struct trace_request {
    std::vector<std::filesystem::path> files; ///< what SKELRT_TRACE wrote, of each rank one
    std::filesystem::path picture;            ///< a PNG file; empty: none
    std::filesystem::path merged;             ///< all files as one, for Perfetto; empty: none
};

/// Prints what the files tell. Throws error.
void show_trace(const trace_request& r);

} // namespace skelrt::tool
