#pragma once

#include "src/lowering/decide/decision.hpp"
#include "src/lowering/decide/situation.hpp"
#include "src/model/times/holding.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace skelrt::detail
{

/// The last decisions of each recipe, a few of different situations: coarse and fine grids take turns, and so do
/// programs, and the strategies of an episode. A call in the same situation goes the same way: deciding takes as long
/// as a short call, and 20 us on cores that have just woken up, with cold caches.
///
/// Lifetime: the engine's. Used under the order's lock. Pure.
class decision_cache
{
public:
    /// Null: it has to be decided. Good until the next remember().
    const decision* find(std::uint32_t recipe, const situation& now) noexcept;
    void remember(std::uint32_t recipe, const situation& now, decision what);
    void forget() noexcept { of_recipe_.clear(); }

private:
    static constexpr std::size_t most_situations = 12;
    struct held {
        situation when;
        decision what;
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
