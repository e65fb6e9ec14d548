// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/checks/unwritten_operands.hpp"

#include "src/data/faults/unwritten.hpp"
#include "src/lowering/place/storages_of.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

namespace skelrt::detail
{

namespace
{

constexpr const char* unwritten_advice =
    "that nobody has written (SKELRT_CHECK=unwritten); give it values when it is made, or write it "
    "by a call or a host view first";

bool reads_every_element(slot_kind kind)
{
    return kind == slot_kind::element || kind == slot_kind::scalar || kind == slot_kind::row_element ||
           kind == slot_kind::column_element;
}

void check_operand(const call& c, std::size_t k)
{
    const operand& o = c.operands[k];
    storage& s = *o.data;
    const std::string& name = c.site->what.name;
    if (!reads_every_element(c.site->what.slots[k].kind)) {
        if (is_all_unwritten(s))
            throw error(fmt::format("{}: operand {} is a container of {} x {} elements {}", name, k + 1, s.rows, s.cols,
                                    unwritten_advice));
        return;
    }
    if (const auto i = find_unwritten(s, {o.offset, o.rows, o.cols, o.ld, o.stride}))
        throw error(
            fmt::format("{}: operand {} reads element {} (row {}, column {}) of a container of {} x {} elements {}",
                        name, k + 1, *i, *i / s.cols, *i % s.cols, s.rows, s.cols, unwritten_advice));
}

} // namespace

void check_written(const call& c)
{
    const recipe& r = c.site->what;
    const bool sets = r.rule == accumulate_rule::write; // no function sees what the elements were
    for (std::size_t k = 0; k + (sets ? 1 : 0) < r.slots.size(); ++k)
        if (c.operands[k].data && is_read(c, k)) check_operand(c, k);
    if (r.kind != skeleton::accumulate || sets) return;
    for (std::size_t k = 0; k < r.slots.size(); ++k) {
        storage* const s = r.slots[k].kind == slot_kind::accumulator ? c.operands[k].data : nullptr;
        if (s && is_all_unwritten(*s))
            throw error(
                fmt::format("{}: it adds to a container of {} elements {}", r.name, s->count(), unwritten_advice));
    }
}

} // namespace skelrt::detail
