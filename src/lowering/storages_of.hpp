#pragma once

#include "codelets/work.hpp"

#include <skelrt/detail/call.hpp>

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

} // namespace skelrt::detail
