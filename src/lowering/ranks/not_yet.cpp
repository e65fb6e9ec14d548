#include "src/lowering/ranks/not_yet.hpp"

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

} // namespace

bool asks_for_position(const recipe& r)
{
    return std::ranges::any_of(r.calls, [](const function_call& f) {
        return std::ranges::any_of(f.arguments, [](const argument& a) {
            return a.kind != argument_kind::slot && a.kind != argument_kind::call;
        });
    });
}

void refuse_skeletons(const call& c)
{
    if (const std::string_view name = name_of(c.site->what.kind); !name.empty())
        refuse(c, fmt::format("{} need elements of other ranks", name));
    // Devices count a sort's items from its first position.
    if (c.site->what.kind == skeleton::sort && asks_for_position(c.site->what))
        refuse(c, "it sorts results of a function that asks for its position, which a container may hold instead");
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
