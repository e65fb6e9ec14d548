// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/checks/racing_operands.hpp"

#include "codelets/work.hpp"
#include "src/data/faults/races.hpp"
#include "src/data/parts/rectangle_handle.hpp"

#include <skelrt/view.hpp>

namespace skelrt::detail
{

namespace
{

void check_operand(const call& c, const operand& o, data_use how)
{
    if (!o.data) return;
    const bool is_view = o.rows * o.cols > 0;
    const rectangle part = is_view ? part_at(*o.data, {o.offset, o.rows, o.cols, o.ld, o.stride}) : all_of(*o.data);
    check_races(*o.data, part, how, c.site->what.name);
}

} // namespace

void check_races(const call& c)
{
    for (std::size_t k = 0; k < c.site->what.slots.size(); ++k)
        check_operand(c, c.operands[k], is_written(c.site->what, k) ? data_use::writes : data_use::reads);
    check_operand(c, c.result, data_use::writes);
}

} // namespace skelrt::detail
