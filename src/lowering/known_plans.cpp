#include "src/lowering/known_plans.hpp"

#include <algorithm>
#include <utility>

namespace skelrt::detail
{

namespace
{

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
    for (entry& known : of_recipe_[recipe].all)
        if (known.basis == basis) return known.holds.use() ? &known : nullptr;
    return nullptr;
}

/// That of the basis; a new one, for which the oldest gives way, if there is none.
known_plans::entry& known_plans::entry_for(const plan_basis& basis, plans& among)
{
    const auto known = std::ranges::find(among.all, basis, &entry::basis);
    if (known != among.all.end()) return *known;
    among.all.reserve(most_bases); // a plan that is being followed stays where it is
    if (among.all.size() < most_bases) return among.all.emplace_back();
    entry& oldest = among.all[among.oldest];
    among.oldest = (among.oldest + 1) % most_bases;
    return oldest = {};
}

void known_plans::remember(std::uint32_t recipe, const plan_basis& basis, outcome what)
{
    if (recipe >= of_recipe_.size()) of_recipe_.resize(recipe + 1);
    entry& known = entry_for(basis, of_recipe_[recipe]);
    const bool again = are_alike(known.what.plan, what.plan);
    known.basis = basis;
    known.what = std::move(what);
    known.holds.renew(again);
}

} // namespace skelrt::detail
