// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/engine.hpp"
#include "src/lowering/place/layout/layout.hpp"

#include "src/data/memory/host_storage.hpp"
#include "src/data/memory/memory.hpp"

#include <algorithm>

/// What the first use of memory asks for: new pages for the cores, and pinned ones for copies.
namespace skelrt::detail
{

namespace
{

/// Devices may soon have to give up what they hold, which then goes home.
bool is_memory_tight(const running& r)
{
    constexpr std::size_t part = 4;
    return std::ranges::any_of(r.devices().targets(),
                               [](const target& t) { return t.memory > 0 && bytes_in_use() > t.memory / part; });
}

bool lacks_a_tile(const whole_operand& w, unsigned node)
{
    for (std::size_t i = w.first; i < w.end; ++i)
        if (!w.data->is_at(i, node)) return true;
    return false;
}

double bytes_of(const managed_state& m)
{
    return static_cast<double>(m.owner->count()) * static_cast<double>(m.owner->element_size);
}

} // namespace

template <class Counts>
double layout::untouched(Counts counts) const
{
    double bytes = 0;
    for (const axis_operand& a : axis_) {
        if (!a.written || a.read || !counts(*a.data)) continue;
        double made = 0;
        for (std::size_t s = 0; s < state_.segments.size(); ++s) made += segment_bytes(a, s);
        const double all = bytes_of(*a.data);
        if (made < all) continue; // of a part the middle of the whole tells nothing
        if (is_untouched(host_part(*a.data->owner).memory, static_cast<std::size_t>(all))) bytes += all;
    }
    return bytes;
}

double layout::untouched_bytes() const
{
    return untouched([](const managed_state&) { return true; });
}

double layout::new_untouched_bytes(std::uint64_t episode) const
{
    return untouched([&](const managed_state& m) { return m.episode != episode; });
}

void layout::pin_copied(const std::vector<plan_group>& plan, const std::vector<const target*>& targets, bool anywhere)
{
    const running& r = *running::current();
    if (!r.devices().has_cuda()) return;
    const bool all = anywhere || is_memory_tight(r), go_home = results_go_home();
    if (all)
        for (const axis_operand& a : axis_) pin_storage(*a.data->owner);
    for (const plan_group& g : plan) {
        const unsigned node = targets[g.device]->node;
        for (const axis_operand& a : axis_) {
            if (a.written && go_home && node != STARPU_MAIN_RAM) pin_storage(*a.data->owner);
            if (!a.read) continue;
            for (std::size_t s = g.first; s < g.first + g.count; ++s)
                if (!a.data->is_at(tile_of(a, s), node)) pin_storage(*a.data->owner);
        }
        for (const whole_operand& w : whole_operands())
            if (all || lacks_a_tile(w, node)) pin_storage(*w.data->owner);
    }
}

} // namespace skelrt::detail
