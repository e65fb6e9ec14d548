#include "src/lowering/known_calls.hpp"

#include "codelets/work.hpp"

#include <algorithm>
#include <utility>

namespace skelrt::detail
{

known_calls::shape known_calls::shape_of(const call& c, device_choice may_use)
{
    return {may_use, c.rows, c.cols, c.depth, c.steps, c.value != nullptr};
}

/// False: the operand is cut into tiles, which is another matter.
bool known_calls::place_of(const call& c, std::size_t slot, operand_place& to)
{
    const operand& o = c.operands[slot];
    to = {o.data != nullptr, 0, o.offset, o.ld, o.stride};
    if (!o.data || is_written(c.site->what, slot)) return true;
    const managed_state* const m = o.data->managed.load(std::memory_order_acquire);
    if (!m || m->tile_count() != 1) return false;
    to.valid = m->valid[0];
    return true;
}

bool known_calls::lies_so(const call& c, const std::vector<operand_place>& places)
{
    for (std::size_t slot = 0; slot < places.size(); ++slot) {
        operand_place now;
        if (!place_of(c, slot, now) || now != places[slot]) return false;
    }
    return true;
}

const decision* known_calls::find(const call& c, device_choice may_use)
{
    const recipe& r = c.site->what;
    if (c.color >= 0 || r.id >= of_recipe_.size()) return nullptr;
    const shape now = shape_of(c, may_use);
    for (known_call& k : of_recipe_[r.id].calls) {
        if (k.of != now || !lies_so(c, k.operands)) continue;
        return k.holds.use() ? &k.what : nullptr;
    }
    return nullptr;
}

/// That of the shape and of what lies at places_; a new one, for which the oldest gives way, if there is none.
known_calls::known_call& known_calls::entry_for(const shape& of, known_shapes& among)
{
    for (known_call& k : among.calls)
        if (k.of == of && k.operands == places_) return k;
    among.calls.reserve(most_shapes); // a decision that is being followed stays where it is
    if (among.calls.size() < most_shapes) return among.calls.emplace_back();
    known_call& oldest = among.calls[among.oldest];
    among.oldest = (among.oldest + 1) % most_shapes;
    return oldest = {};
}

void known_calls::remember(const call& c, device_choice may_use, decision what)
{
    const recipe& r = c.site->what;
    if (c.color >= 0) return;
    if (r.id >= of_recipe_.size()) of_recipe_.resize(r.id + 1);
    places_.resize(r.slots.size());
    for (std::size_t slot = 0; slot < places_.size(); ++slot)
        if (!place_of(c, slot, places_[slot])) return;
    const shape now = shape_of(c, may_use);
    known_call& k = entry_for(now, of_recipe_[r.id]);
    const bool as_before = k.what.device == what.device && k.what.targets == what.targets;
    k.of = now;
    k.operands = places_;
    k.what = std::move(what);
    k.holds.renew(as_before);
}

} // namespace skelrt::detail
