// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/trace/trace.hpp"

#include "src/tool/trace/events.hpp"
#include "src/tool/trace/picture.hpp"
#include "src/tool/trace/report.hpp"

#include <fmt/format.h>

namespace skelrt::tool
{

void show_trace(const trace_request& r)
{
    const trace_events all = read_traces(r.files);
    fmt::print("{}", report_text(all));
    if (!r.picture.empty()) draw_trace(all, r.picture);
    if (!r.merged.empty()) merge_traces(r.files, r.merged);
}

} // namespace skelrt::tool
