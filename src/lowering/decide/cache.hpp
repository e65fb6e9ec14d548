// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/decide/decision.hpp"
#include "src/lowering/decide/request.hpp"
#include "src/model/times/holding.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace skelrt::detail
{

/// What a decision depends on but for the recipe and the models, which change slowly: one key for all that is held.
/// Hashes stand for what is only compared.
struct situation {
    std::uint64_t places = 0;           ///< where the operands lie, and how they are cut
    std::uint64_t who = 0;              ///< may do it
    const plan_range* obeyed = nullptr; ///< an episode's split, which lives as long as the runtime
    std::size_t rows = 0, cols = 0, depth = 1;
    std::size_t uses = 1;
    int run = 1; ///< bits of the number of calls in a row that are likely
    unsigned steps = 1;
    int color = -1;
    int busy = 0;             ///< bits of the number of threads that compute besides the calling one
    bool of_one_task = false; ///< known before the call is cut, for its operands are single tiles
    bool free = false, follows = false, waits = false, goes_home = false, to_value = false;
    friend bool operator==(const situation&, const situation&) = default;
};

/// Of a call whose operands are single tiles; none: some are cut, or nobody knows yet. Under the order's lock.
std::optional<situation> situation_of_one_task(const call& c, const request& r);

/// The devices among which a decision chooses.
std::uint64_t hash_of(const std::vector<const target*>& targets) noexcept;

/// The last decisions of each recipe, a few of different situations: coarse and fine grids take turns, and so do
/// programs, and the strategies of an episode. A call in the same situation goes the same way: deciding takes as long
/// as a short call, and 20 us on cores that have just woken up, with cold caches.
///
/// Lifetime: the engine's. Used under the order's lock. Pure.
class decision_cache
{
public:
    /// Null: it has to be decided.
    shared_decision find(std::uint32_t recipe, const situation& now) noexcept;
    void remember(std::uint32_t recipe, const situation& now, shared_decision what);
    void forget() noexcept { of_recipe_.clear(); }

private:
    static constexpr std::size_t most_situations = 12;
    struct held {
        situation when;
        shared_decision what;
        holding holds;
    };
    struct decisions {
        std::vector<held> all;  ///< at most most_situations
        std::size_t oldest = 0; ///< the next to give way
    };
    static held& entry_for(const situation& when, decisions& among);

    std::vector<decisions> of_recipe_; ///< by number
};

} // namespace skelrt::detail
