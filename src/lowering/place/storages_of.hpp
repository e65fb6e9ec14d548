// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/work.hpp"

#include <skelrt/detail/call.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace skelrt::detail
{

/// All operands of a call that are containers: visit(const operand&, bool written).
template <class Visit>
void for_each_container(const call& c, Visit visit)
{
    const recipe& r = c.site->what;
    for (std::size_t k = 0; k < r.slots.size(); ++k)
        if (c.operands[k].data) visit(c.operands[k], is_written(r, k));
    if (c.result.data) visit(c.result, true);
}

/// visit(storage&, bool written).
template <class Visit>
void for_each_storage(const call& c, Visit visit)
{
    for_each_container(c, [&](const operand& o, bool written) { visit(*o.data, written); });
}

/// Whether a call wants what a slot holds: all but results that nothing is added to.
inline bool is_read(const call& c, std::size_t slot) { return c.begun || !is_written(c.site->what, slot); }

/// Whether the result of a call that stores elements goes to a container that it reads.
inline bool is_in_place(const call& c)
{
    const std::size_t slots = c.site->what.slots.size();
    return std::any_of(c.operands, c.operands + slots - 1,
                       [&](const operand& o) { return o.data && o.data == c.operands[slots - 1].data; });
}

/// Whether a task has used an operand: it may lie on a GPU now. What is kept of it then wants the order's lock.
inline bool used_by_tasks(const call& c)
{
    return std::any_of(c.operands, c.operands + c.site->what.slots.size(),
                       [](const operand& o) { return o.data && o.data->managed.load(std::memory_order_acquire); });
}

} // namespace skelrt::detail
