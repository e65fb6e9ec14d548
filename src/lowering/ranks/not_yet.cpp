// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/not_yet.hpp"

#include "src/cluster/other_ranks.hpp"
#include "src/lowering/place/storages_of.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <string_view>

namespace skelrt::detail
{

namespace
{

[[noreturn]] void refuse(const call& c, std::string_view what)
{
    throw error(
        fmt::format("not yet over several ranks: {}: {}; run the program as one process: SKELRT_CLUSTER=off, or "
                    "without mpirun",
                    c.site->what.name, what));
}

} // namespace

void refuse_dealt_out(const call& c)
{
    const recipe& r = c.site->what;
    for_each_storage(c, [&](const storage& s, bool) {
        if (s.dealt) throw_dealt_in_item(r.name.c_str(), r.first_at, s.shape_rows, s.shape_cols);
    });
}

void refuse_reversed(const call& c)
{
    for_each_container(c, [&](const operand& o, bool) {
        if (goes_back(o.ld) || goes_back(o.stride))
            refuse(c, fmt::format("a reversed view of a container of {} x {} elements (a vector's: sk::reverse(x))",
                                  o.data->shape_rows, o.data->shape_cols));
    });
}

void refuse_unaligned(const call& c, std::size_t slot)
{
    const operand& o = c.operands[slot];
    refuse(c, fmt::format(
                  "operand {}, from element {} of a container of {} x {} on, lies on other ranks than the elements "
                  "that it is computed with",
                  slot + 1, o.offset, o.data->shape_rows, o.data->shape_cols));
}

} // namespace skelrt::detail
