#include "src/lowering/decide/cache.hpp"

#include "src/lowering/decide/tuning.hpp"

#include <algorithm>
#include <utility>

namespace skelrt::detail
{

bool are_alike(const decision& a, const decision& b)
{
    if (a.targets != b.targets) return false;
    std::size_t all = 0, moved = 0;
    for (std::size_t d = 0; d < a.targets.size(); ++d) {
        const auto share = [d](const decision& of) {
            std::size_t segments = 0;
            for (const plan_group& g : of.groups)
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

const decision* decision_cache::find(std::uint32_t recipe, const situation& now) noexcept
{
    if (recipe >= of_recipe_.size()) return nullptr;
    const auto known = std::ranges::find(of_recipe_[recipe].all, now, &held::when);
    return known != of_recipe_[recipe].all.end() && known->holds.use() ? &known->what : nullptr;
}

/// That of the situation; a new one, for which the oldest gives way, if there is none.
decision_cache::held& decision_cache::entry_for(const situation& when, decisions& among)
{
    const auto known = std::ranges::find(among.all, when, &held::when);
    if (known != among.all.end()) return *known;
    held fresh{when, {}, when.of_one_task ? tuning::one_task_holds : tuning::plan_holds};
    among.all.reserve(most_situations); // a decision that is being followed stays where it is
    if (among.all.size() < most_situations) return among.all.emplace_back(std::move(fresh));
    held& oldest = among.all[among.oldest];
    among.oldest = (among.oldest + 1) % most_situations;
    return oldest = std::move(fresh);
}

void decision_cache::remember(std::uint32_t recipe, const situation& now, decision what)
{
    if (recipe >= of_recipe_.size()) of_recipe_.resize(recipe + 1);
    held& known = entry_for(now, of_recipe_[recipe]);
    const bool again = are_alike(known.what, what);
    known.what = std::move(what);
    known.holds.renew(again);
}

} // namespace skelrt::detail
