// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/red_black.hpp"

#include "src/data/memory/host_storage.hpp"

#include <vector>

namespace skelrt::detail
{

submitted_call& submit_half_steps(const call& c, const std::function<submitted_call&(const call&)>& submit_one)
{
    std::vector<operand> operands(c.operands, c.operands + c.site->what.slots.size());
    storage& to = *operands.back().data;
    const storage_ref between = create_like(to);

    call half = c;
    half.operands = operands.data();
    half.steps = 1;
    const auto half_step = [&](unsigned k) -> submitted_call& {
        half.color = (c.color + static_cast<int>(k)) % 2;
        if (k > 0) operands.front().data = operands.back().data;
        operands.back().data = k % 2 == 0 ? between.get() : &to;
        return submit_one(half);
    };
    for (unsigned k = 0; k + 1 < c.steps; ++k) half_step(k).drop();
    return half_step(c.steps - 1);
}

} // namespace skelrt::detail
