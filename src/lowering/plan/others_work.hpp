// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/engine.hpp"
#include "src/lowering/plan/load_board.hpp"
#include "src/runtime/cores/compute_right.hpp"

namespace skelrt::detail
{

/// Whether others compute, or have given work to devices: several calls keep the devices busy together then, so none is
/// split, and nobody waits for a part on the slowest. Caller holds the order's lock.
inline bool others_work(const engine& e, const program& mine)
{
    return compute_right::others() > 0 || e.loads().has_others(mine);
}

} // namespace skelrt::detail
