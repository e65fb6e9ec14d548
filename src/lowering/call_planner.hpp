#pragma once

#include "src/lowering/call_state.hpp"
#include "src/lowering/layout.hpp"
#include "src/lowering/planner.hpp"
#include "src/runtime/engine.hpp"

#include <skelrt/plan.hpp>

#include <cstddef>
#include <vector>

/// Which device does which part of a call: asks models, notes of where data lies, and what became of calls before.
namespace skelrt::detail
{

/// What else is known of a call that is to be planned.
struct planning {
    const plan_range* obeyed; ///< an execution plan's; null: placed automatically
    bool free;                ///< the user did not say where it should run
    std::size_t uses;         ///< calls in a row on this data that are certain
    std::size_t run;          ///< that are likely; 0: nobody knows
    bool follows;             ///< another call, which the host has not waited for
};

/// What the planner made of a call.
struct planned_call {
    std::vector<plan_group> groups;
    std::vector<schedulers::worker_cost> costs; ///< of each target, so far as is known
    std::vector<double> missing;                ///< what the plan was made from: [segment * targets + target], bytes
    bool chained = false;                       ///< other calls work on the data before or after: it stays where it is
    bool guesses = false;                       ///< some cost is no measured one
    std::size_t targets = 0;

    /// Bytes of the first segments that a target has not.
    double missing_on(std::size_t target, std::size_t segments) const noexcept;
};

/// Plans the call, whose layout is cut. Notes in `state` who could take over its groups, what was promised, and what copies
/// are to be watched. Caller holds engine::submission.
planned_call plan_call(engine& e, call_state& state, layout& l, const std::vector<const target*>& targets,
                       const planning& how);

/// Work that waits for what another device did would gain nothing from a second one; filters only copy more.
bool is_for_one_device(const call_state& state);

} // namespace skelrt::detail
