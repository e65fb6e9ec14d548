// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/decide/cache.hpp"

#include "src/data/managed.hpp"
#include "src/lowering/decide/tuning.hpp"
#include "src/lowering/hash_combine.hpp"
#include "src/lowering/place/storages_of.hpp"
#include "src/runtime/cores/compute_right.hpp"

#include "codelets/work.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace skelrt::detail
{

std::optional<situation> situation_of_one_task(const call& c, const request& r)
{
    if (c.color >= 0) return std::nullopt;
    situation s{.rows = c.rows, .cols = c.cols, .depth = c.depth, .steps = c.steps};
    s.of_one_task = true;
    s.to_value = c.value != nullptr;
    s.busy = std::bit_width(compute_right::others());
    s.who = hash_combine(r.may_use.kinds.bits(), static_cast<std::uint64_t>(r.may_use.gpu + 1));
    for (std::size_t slot = 0; slot < c.site->what.slots.size(); ++slot) {
        const operand& o = c.operands[slot];
        std::uint64_t place = 1;
        if (o.data && is_read(c, slot)) {
            const managed_state* const m = o.data->managed.load(std::memory_order_acquire);
            if (!m || m->tile_count() != 1) return std::nullopt;
            place = 2 + m->valid[0];
        }
        for (const std::uint64_t part : {std::uint64_t{o.data != nullptr}, place, o.offset, o.ld, o.stride})
            s.places = hash_combine(s.places, part);
    }
    return s;
}

std::uint64_t hash_of(const std::vector<const target*>& targets) noexcept
{
    std::uint64_t hash = 0;
    for (const target* t : targets) hash = hash_combine(hash, t->node + 1); // 0 would tell nothing
    return hash;
}

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

bool is_still_best(const decision& d, std::span<const double> busy_us)
{
    if (d.single_us.empty()) return true;
    const unsigned first = d.groups[0].device;
    if (std::ranges::any_of(d.groups, [&](const plan_group& g) { return g.device != first; }))
        return std::ranges::all_of(
            d.groups, [&](const plan_group& g) { return busy_us[g.device] <= tuning::bearable * d.busy_us[g.device]; });
    const auto begin_us = [&](std::size_t k) {
        return d.own_core && d.targets[k]->kind == device::cpu ? 0 : busy_us[k];
    };
    for (std::size_t k = 0; k < busy_us.size(); ++k)
        if (begin_us(k) + d.single_us[k] < begin_us(first) + d.single_us[first]) return false;
    return true;
}

shared_decision decision_cache::find(std::uint32_t recipe, const situation& now) noexcept
{
    if (recipe >= of_recipe_.size()) return nullptr;
    const auto known = std::ranges::find(of_recipe_[recipe].all, now, &held::when);
    return known != of_recipe_[recipe].all.end() && known->holds.use() ? known->what : nullptr;
}

/// That of the situation; a new one, for which the oldest gives way, if there is none.
decision_cache::held& decision_cache::entry_for(const situation& when, decisions& among)
{
    const auto known = std::ranges::find(among.all, when, &held::when);
    if (known != among.all.end()) return *known;
    held fresh{when, {}, when.of_one_task ? tuning::one_task_holds : tuning::plan_holds};
    if (among.all.size() < most_situations) return among.all.emplace_back(std::move(fresh));
    held& oldest = among.all[among.oldest];
    among.oldest = (among.oldest + 1) % most_situations;
    return oldest = std::move(fresh);
}

void decision_cache::remember(std::uint32_t recipe, const situation& now, shared_decision what)
{
    if (recipe >= of_recipe_.size()) of_recipe_.resize(recipe + 1);
    held& known = entry_for(now, of_recipe_[recipe]);
    const bool again = known.what && are_alike(*known.what, *what);
    known.what = std::move(what);
    known.holds.renew(again);
}

} // namespace skelrt::detail
