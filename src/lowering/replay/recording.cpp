// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/replay/recording.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

namespace skelrt::detail
{

namespace
{

/// Of what is dealt out, the lines.
std::size_t& lines_of(recorded_container& c) { return c.whole_rows ? c.rows : c.cols; }

bool is_whole(const recorded_operand& o, const recorded_container& c)
{
    return o.offset == 0 && o.rows == c.rows && o.cols == c.cols && o.stride == 1 && (o.rows == 1 || o.ld == c.cols);
}

void grow_operand(recorded_operand& o, const recording& r, std::size_t times, const std::string& name)
{
    if (!o.container) return;
    const recorded_container& c = r.containers[*o.container];
    if (!c.dealt) return;
    if (!is_whole(o, c))
        throw error(fmt::format("{}: it is on a part of a container of {} x {} elements; programs whose calls are on "
                                "whole containers can grow",
                                name, c.rows, c.cols));
    if (c.whole_rows) o.rows *= times;
    else {
        o.cols *= times;
        o.ld *= times;
    }
}

} // namespace

recording grown(recording r, std::size_t times)
{
    for (recorded_call& c : r.calls) {
        const recorded_recipe& what = r.recipes[c.recipe];
        if (what.kind == skeleton::reduce_columns || what.kind == skeleton::accumulate)
            throw error(
                fmt::format("{}: its result is as long whatever the lines are; such programs cannot grow", what.name));
        for (recorded_operand& o : c.operands) grow_operand(o, r, times, what.name);
        grow_operand(c.result, r, times, what.name);
        (c.matrix ? c.rows : c.cols) *= times;
        c.kept *= times;
    }
    for (recorded_container& c : r.containers)
        if (c.dealt) lines_of(c) *= times;
    return r;
}

} // namespace skelrt::detail
