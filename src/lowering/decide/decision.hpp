// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "schedulers/hint.hpp"
#include "src/runtime/devices.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace skelrt::detail
{

/// Who does a call whose data is at hand, and that the calling thread could do itself.
enum class caller_way : std::uint8_t { alone, with_all_cores, tasks };

/// Who carries out a call that was planned: the calling thread, which leads the cores without a task, or computes on
/// the core that it has; a batch with others; or tasks of its own.
enum class carrier : std::uint8_t { caller, own_core, batch, tasks };

/// A run of segments for one device.
struct plan_group {
    unsigned device;
    std::size_t first, count;
    bool at_edge = false; ///< other ranks wait for what it makes: it goes before the others
    friend bool operator==(const plan_group&, const plan_group&) = default;
};

/// How finely the containers of a call should be cut.
struct cut_wish {
    std::size_t tiles = 0;  ///< 0: as their sizes say, or as they are
    bool for_edges = false; ///< of stencils: no more than these, and of the grids alone

    /// Whether a container that is cut in parts of `now` of its `all` elements should get parts of `then`: a little
    /// more or less would not be worth it, a single tile is.
    static constexpr bool is_worth_cutting(std::size_t now, std::size_t then, std::size_t all) noexcept
    {
        return now > 2 * then || then > 2 * now || (then >= all && now < all);
    }
};

/// What a target takes for so many elements, in us.
inline double us_of(const schedulers::worker_cost& c, std::size_t elements) noexcept
{
    return c.fixed_us + c.element_us * static_cast<double>(elements);
}

/// Where and how a call is done.
struct decision {
    std::vector<const target*> targets;          ///< that could do it
    std::vector<plan_group> groups;              ///< which of them does what
    std::vector<schedulers::worker_cost> costs;  ///< of each target, so far as is known
    std::vector<schedulers::worker_cost> takers; ///< who may take over groups
    std::vector<double> missing;                 ///< what it was made from: [segment * targets + target], bytes
    std::vector<double> busy_us;                 ///< that it keeps each target busy; empty: costs tell
    std::vector<double> single_us;               ///< of each target alone, were it free; empty: others were no choice
    unsigned threads = 0;                        ///< of the cores' part, as a plan says; 0: all
    std::vector<unsigned> blocks; ///< of each target, threads of a block, as a plan says; empty: automatic
    bool chained = false;         ///< other calls work on the data before or after: it stays where it is
    bool own_core = false;        ///< the cores' part takes the calling thread's, if it is all
    bool guesses = false;         ///< some cost is no measured one
    bool may_end_early = false;   ///< of one task: it may end before its kernels do
    bool of_single_calls = false; ///< it holds for those that the host waits for before and after

    /// Bytes of the first segments that a target has not.
    double missing_on(std::size_t target, std::size_t segments) const noexcept
    {
        double bytes = 0;
        for (std::size_t s = 0; s < segments; ++s) bytes += missing[s * targets.size() + target];
        return bytes;
    }
};

/// Followed by many calls, and never changed: whoever follows one holds it.
using shared_decision = std::shared_ptr<const decision>;

/// Whether it would be made again where others keep its targets busy so long. Pure.
bool is_still_best(const decision& d, std::span<const double> busy_us);

/// Devices do the same but for a segment, or a sixteenth of the call.
bool are_alike(const decision& a, const decision& b);

} // namespace skelrt::detail
