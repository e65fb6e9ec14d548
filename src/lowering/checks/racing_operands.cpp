// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/checks/racing_operands.hpp"

#include "codelets/work.hpp"
#include "src/data/faults/races.hpp"
#include "src/data/parts/rectangle_handle.hpp"

#include <skelrt/view.hpp>

#include <algorithm>
#include <utility>

namespace skelrt::detail
{

namespace
{

/// Where its elements lie: the rows that functions see may be placed otherwise, as a call's operands.
placement elements_of_slot(const operand& o, slot_kind kind)
{
    placement p{o.offset, o.rows, o.cols, o.ld, o.stride};
    if (kind == slot_kind::column_vec) std::swap(p.ld, p.stride);
    if (kind == slot_kind::column_vec || kind == slot_kind::row_vec) p.stride = std::max<std::size_t>(p.stride, 1);
    return p;
}

void check_operand(const call& c, const operand& o, slot_kind kind, data_use how)
{
    if (!o.data) return;
    const bool is_view = o.rows * o.cols > 0;
    const rectangle part = is_view ? part_at(*o.data, elements_of_slot(o, kind)) : all_of(*o.data);
    check_races(*o.data, part, how, c.site->what.name);
}

} // namespace

void check_races(const call& c)
{
    const recipe& r = c.site->what;
    for (std::size_t k = 0; k < r.slots.size(); ++k)
        check_operand(c, c.operands[k], r.slots[k].kind, is_written(r, k) ? data_use::writes : data_use::reads);
    check_operand(c, c.result, slot_kind::element, data_use::writes);
}

} // namespace skelrt::detail
