#include "src/lowering/ranks/not_yet.hpp"

#include "src/cluster/other_ranks.hpp"
#include "src/lowering/place/storages_of.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
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

std::string_view name_of(skeleton kind)
{
    switch (kind) {
    case skeleton::scan_columns:
        return "scans by column";
    default:
        return {};
    }
}

bool asks_for_position(const recipe& r)
{
    return std::ranges::any_of(r.calls, [](const function_call& f) {
        return std::ranges::any_of(f.arguments, [](const argument& a) {
            return a.kind != argument_kind::slot && a.kind != argument_kind::call;
        });
    });
}

bool is_scalar(const storage& s) { return s.shape_rows == 1 && s.shape_cols == 1 && !s.whole_rows; }

} // namespace

void refuse_skeletons(const call& c)
{
    if (const std::string_view name = name_of(c.site->what.kind); !name.empty())
        refuse(c, fmt::format("{} need elements of other ranks", name));
    // Devices count a sort's items from its first position.
    if (c.site->what.kind == skeleton::sort && asks_for_position(c.site->what))
        refuse(c, "it sorts results of a function that asks for its position, which a container may hold instead");
}

void refuse_shared_results(const call& c)
{
    for_each_storage(c, [&](const storage& s, bool written) {
        if (written && !s.dealt && !is_scalar(s))
            refuse(c, fmt::format("its result is a container of {} x {} elements that was made while no sk::runtime "
                                  "lived, or in an item of a farm, so that every rank has all of it; make it after the "
                                  "runtime, in the program itself",
                                  s.shape_rows, s.shape_cols));
    });
}

void refuse_dealt_out(const call& c)
{
    const recipe& r = c.site->what;
    for_each_storage(c, [&](const storage& s, bool) {
        if (s.dealt) throw_dealt_in_item(r.name.c_str(), r.first_at, s.shape_rows, s.shape_cols);
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
