// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/engine.hpp"
#include "src/lowering/plan/load_board.hpp"
#include "src/runtime/cores/compute_right.hpp"

#include <algorithm>

namespace skelrt::detail
{

/// Whether others compute, or have given work to devices: several calls keep the devices busy together then, so none is
/// split, and nobody waits for a part on the slowest. Caller holds the order's lock.
inline bool others_work(const engine& e, const program& mine)
{
    return compute_right::others() > 0 || e.loads().has_others(mine);
}

/// What takes all cores so long, on those that items beside this call have left; `core`: on one, in the same unit.
inline double on_cores_left(const engine& e, double team, double core)
{
    const unsigned cores = e.devices().cores(), left = compute_right::cores_left(cores);
    return left == cores ? team : std::max(team, core / left);
}

} // namespace skelrt::detail
