#include "src/lowering/decide/situation.hpp"

#include "src/data/managed.hpp"
#include "src/lowering/hash_combine.hpp"
#include "src/runtime/cores/compute_right.hpp"

#include "codelets/work.hpp"

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
        if (o.data && !is_written(c.site->what, slot)) {
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

} // namespace skelrt::detail
