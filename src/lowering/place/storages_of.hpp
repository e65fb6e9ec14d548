#pragma once

#include "codelets/work.hpp"

#include <skelrt/detail/call.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace skelrt::detail
{

/// All containers of a call: visit(storage&, bool written).
template <class Visit>
void for_each_storage(const call& c, Visit visit)
{
    for (std::size_t k = 0; k < c.site->what.slots.size(); ++k)
        if (c.operands[k].data) visit(*c.operands[k].data, is_written(c.site->what, k));
    if (c.result.data) visit(*c.result.data, true);
}

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
