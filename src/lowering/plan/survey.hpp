// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/decide/decision.hpp"
#include "src/lowering/decide/request.hpp"
#include "src/lowering/engine.hpp"
#include "src/lowering/place/layout/layout.hpp"
#include "src/lowering/run/submitted_call.hpp"

#include <skelrt/plan.hpp>

#include <cstddef>
#include <vector>

/// Which device does which part of a call: asks models, notes of where data lies, and what became of calls before.
namespace skelrt::detail
{

/// What else is known of a call that is to be planned.
struct planning {
    const request& asked;
    std::size_t run; ///< calls in a row on this data that are likely; 0: nobody knows
    bool follows;    ///< another call, which the host has not waited for
};

/// Plans the call, whose layout is cut. Notes in `state` who could take over its groups, what was promised, and what
/// copies are to be watched. Caller holds the order's lock.
shared_decision plan_call(engine& e, submitted_call& state, layout& l, const std::vector<const target*>& targets,
                          const planning& how);

/// Whether it would be made again with what other programs keep its targets busy. Caller holds the order's lock.
bool is_still_best(const decision& d, const engine& e, const program& mine);

/// Work that waits for what another device did would gain nothing from a second one; filters only copy more.
bool is_for_one_device(const submitted_call& state);

} // namespace skelrt::detail
