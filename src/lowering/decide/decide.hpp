// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/decide/choices.hpp"
#include "src/lowering/decide/decision.hpp"
#include "src/lowering/decide/request.hpp"
#include "src/lowering/engine.hpp"

#include <skelrt/detail/call.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Where a call runs is decided in this room, and nowhere else: what carries calls out asks, and does as it is told.
/// caller.hpp says whether the calling thread does it at once; here is what follows, in this order, as more becomes
/// known of a call that may become tasks. The choices are pure functions of facts (choices.hpp, cache.hpp,
/// src/lowering/plan); these get the facts. All but devices_for() are for who holds the order's lock.
namespace skelrt::detail
{

class layout;
class submitted_call;

/// Where a call goes, as far as that is known before it is cut.
struct way_of_call {
    request asked;              ///< with what its episode's strategy says
    shared_decision held{};     ///< it goes where one like it went; null: it has to be decided
    bool in_half_steps = false; ///< as calls of one half step each
};
way_of_call way_of(engine& e, const call& c, const request& r);

/// The devices that may do it, their kernels built; or only the cores while kernels are built. Where those of the way
/// cannot, the others may: then `asked` obeys no plan any more. Throws error if nobody can. May take the time of a
/// compilation. Not for who holds the order's lock.
std::vector<const target*> devices_for(engine& e, const call& c, request& asked);

/// How many calls, this one included, are likely to work on its data before the host does; 0: nobody knows.
std::size_t likely_run(const engine& e, const call& c, const request& asked);
/// How finely its containers should be cut. Of a share of a stencil: so that what other ranks wait for goes first.
cut_wish cut_for(const engine& e, const call& c, const request& asked, const std::vector<const target*>& targets,
                 std::size_t run);

/// Which device does which part of a call that is cut. Notes in `state` who could take over its groups, what was
/// promised, and what copies are to be watched. `follows`: a call that the host has not waited for.
shared_decision decide(engine& e, const call& c, submitted_call& state, layout& data,
                       const std::vector<const target*>& targets, const request& asked, std::size_t run, bool follows);
/// The same of one that goes where one like it went, in one group.
void go_as_held(engine& e, const submitted_call& state, const layout& data, const std::vector<const target*>& targets,
                const request& asked, const decision& held);

/// A call whose groups are made.
struct decided_call {
    engine& by;
    const call& what;
    const request& asked;
    const submitted_call& state;
    const layout& data;
    const std::vector<const target*>& targets;
    const decision& made;
    std::span<const schedulers::worker_cost> costs; ///< of each target, so far as is known
    bool held, follows;

    /// Of the only group.
    const target& where() const { return *targets[made.groups[0].device]; }
};
/// Whether a task's kernels may go on when it ends: they leave nothing to a task of the host's, and wait for no copies
/// that ought to overlap with other kernels. Now and then a call ends with them, so that its time is known.
bool may_end_early(const decided_call& d);
carrier carrier_for(const decided_call& d);
/// Who instead, where the data is not in the host's memory after all, or another thread leads the cores.
carrier carrier_instead_of_caller(const decided_call& d);
/// So that the next call like this goes the same way, if it should.
void hold(const decided_call& d, carrier by);

/// Of an episode's split: its episode will hear when the cores have done their part.
void watch_split(engine& e, const request& asked, submitted_call& state);
/// Cheap; any thread.
void tell_cores_are_done(const submitted_call& c) noexcept;
/// Of the program's episode; see episodes::number().
std::uint64_t number_of_episode(engine& e);
void forget_decisions(engine& e);

} // namespace skelrt::detail
