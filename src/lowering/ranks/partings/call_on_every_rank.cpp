// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/partings/call_on_every_rank.hpp"

#include "src/data/memory/host_storage.hpp"
#include "src/data/parting/held.hpp"
#include "src/lowering/ranks/call_faults.hpp"
#include "src/lowering/ranks/partings/container_copies.hpp"

#include "codelets/work.hpp"

#include <vector>

namespace skelrt::detail
{

void run_on_every_rank(engine& e, const call& c, transfer& messages, const run_local& run)
{
    const recipe& r = c.site->what;
    std::vector<operand> operands(c.operands, c.operands + r.slots.size());
    container_copies copies(messages);
    for (std::size_t k = 0; k < operands.size(); ++k) {
        operand& o = operands[k];
        if (!o.data) continue;
        const bool written = is_written(r, k);
        if (written) content_changes(*o.data);
        if (!o.data->dealt) continue;
        o.data = copies.of(*o.data, all_held(o.data->shape_rows, o.data->shape_cols),
                           {!written || !has_all_elements(o), written});
    }
    copies.fill();
    call here = c;
    here.operands = operands.data();
    const call_faults faults(here, true);
    run_for_results(e, here, run);
    faults.hand_on();
    copies.bring_home();
}

} // namespace skelrt::detail
