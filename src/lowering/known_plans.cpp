#include "src/lowering/known_plans.hpp"

#include <algorithm>
#include <utility>

namespace skelrt::detail
{

namespace
{

constexpr unsigned most_uses = 64;

/// Devices do the same but for a segment, or a sixteenth of the call.
bool are_alike(const planned_call& a, const planned_call& b)
{
    if (a.targets != b.targets) return false;
    std::size_t all = 0, moved = 0;
    for (std::size_t d = 0; d < a.targets; ++d) {
        const auto share = [d](const planned_call& p) {
            std::size_t segments = 0;
            for (const plan_group& g : p.groups)
                if (g.device == d) segments += g.count;
            return segments;
        };
        const std::size_t then = share(a), now = share(b);
        if ((then == 0) != (now == 0)) return false;
        all += now;
        moved += std::max(then, now) - std::min(then, now);
    }
    return moved <= std::max<std::size_t>(2, all / 8); // each one that moved counts twice
}

} // namespace

const known_plans::entry* known_plans::find(std::uint32_t recipe, const plan_basis& basis) noexcept
{
    if (recipe >= of_recipe_.size()) return nullptr;
    entry& known = of_recipe_[recipe];
    if (known.uses_left == 0 || known.basis != basis) return nullptr;
    --known.uses_left;
    return &known;
}

void known_plans::remember(std::uint32_t recipe, const plan_basis& basis, outcome what)
{
    if (recipe >= of_recipe_.size()) of_recipe_.resize(recipe + 1);
    entry& known = of_recipe_[recipe];
    const bool again = !known.what.plan.groups.empty() && known.basis == basis && are_alike(known.what.plan, what.plan);
    const unsigned uses = again ? std::clamp(2 * known.uses, 1u, most_uses) : 0;
    known = {basis, std::move(what), uses, uses};
}

} // namespace skelrt::detail
