// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/engine.hpp"
#include "src/runtime/cores/team.hpp"

#include "codelets/work.hpp"

#include <skelrt/detail/call.hpp>

#include <cstddef>
#include <exception>

namespace skelrt::detail
{

/// How work is cut for a team.
struct team_share {
    float element_ns;          ///< what an element costs; negative: nobody knows
    std::size_t result_values; ///< accumulate: of a private copy
    unsigned cores;            ///< threads that take part, if the region has so many
};

/// All shares of the work on the team's threads that `lead` has, and the end of the reduction; returns what a user
/// function threw, or null. Elements may differ in cost, so dear ones are dealt out in small shares to whoever is free;
/// cheap ones go in equal shares, the same to the same core each time. Shares are cut for `how.cores`, and combined in
/// their order, however many threads there are: the same bits.
///
/// Nobody waits for ever, with however few threads. All members of a region come, and each takes its shares in
/// ascending order. Shares of scans and filters wait for the one before: the lowest that is not done waits for nobody,
/// and whoever has it has done its lower ones, so it is at it. Shares of red-black iterations wait for both neighbours:
/// there are no more of them than threads, and elements come out alike however many there are.
std::exception_ptr run_in_shares(const work& w, const team_share& how, team_lead& lead);

/// The call, whose data is the host's, by all cores that the calling thread leads, which learns what it costs. False:
/// another thread leads. Lets the user function's exceptions through.
bool run_on_all_cores(const engine& e, const call& c, const slot_view* views);

} // namespace skelrt::detail
