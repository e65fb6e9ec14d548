#pragma once

#include "src/lowering/planned_call.hpp"
#include "src/model/holding.hpp"

#include <skelrt/plan.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace skelrt::detail
{

/// All that a plan was made from, but for models and what became of calls before.
struct plan_basis {
    std::uint64_t places = 0;           ///< where the operands lie, and how they are cut: a hash
    std::uint64_t who = 0;              ///< may do it: a hash
    const plan_range* obeyed = nullptr; ///< an episode's split, which lives as long as the runtime
    std::size_t rows = 0, cols = 0, depth = 1;
    std::size_t uses = 1;
    int run = 1; ///< bits of the number
    unsigned steps = 1;
    int color = -1;
    bool free = false, follows = false, waits = false, goes_home = false;
    friend bool operator==(const plan_basis&, const plan_basis&) = default;
};

/// The last plans of each recipe, a few of different bases: grids, and programs, take turns. A call with the same basis goes the same
/// way without being planned: on cores that have just woken up, with cold caches, that takes 20 us. A plan holds once it came out
/// about the same twice in a row.
///
/// Lifetime: the engine's. Used under the order's lock. Pure.
class known_plans
{
public:
    struct outcome {
        planned_call plan;
        std::vector<schedulers::worker_cost> takers; ///< of its tasks
        double promised_us = 0;                      ///< 0: nothing was
    };
    struct entry {
        plan_basis basis;
        outcome what;
        holding holds{0, 64};
    };

    /// Null: the call has to be planned.
    const entry* find(std::uint32_t recipe, const plan_basis& basis) noexcept;
    void remember(std::uint32_t recipe, const plan_basis& basis, outcome what);
    void forget() noexcept { of_recipe_.clear(); }

private:
    static constexpr std::size_t most_bases = 4;
    struct plans {
        std::vector<entry> all; ///< at most most_bases
        std::size_t oldest = 0; ///< the next to give way
    };
    static entry& entry_for(const plan_basis& basis, plans& among);

    std::vector<plans> of_recipe_; ///< by number
};

} // namespace skelrt::detail
