#include "src/lowering/ranks/partings/call_on_every_rank.hpp"

#include "src/cluster/faults.hpp"
#include "src/data/memory/host_storage.hpp"
#include "src/data/parting/held.hpp"
#include "src/lowering/ranks/messages/transfer.hpp"

#include "codelets/work.hpp"

#include <algorithm>
#include <vector>

namespace skelrt::detail
{

namespace
{

/// All of a container that is dealt out.
struct whole_copy {
    storage* original;
    storage_ref there;
    bool read = false, written = false;
};

whole_copy& copy_of(storage& s, std::vector<whole_copy>& copies)
{
    const auto known = std::ranges::find(copies, &s, &whole_copy::original);
    if (known != copies.end()) return *known;
    storage_ref made =
        or_tell([&] { return create_held(all_held(s.shape_rows, s.shape_cols), s.element_size, s.whole_rows); });
    made->inner = s.inner;
    return copies.emplace_back(&s, std::move(made));
}

/// A result of only some elements leaves the others as they are.
bool is_part(const operand& o) { return o.rows * o.cols != o.data->shape_rows * o.data->shape_cols; }

} // namespace

void run_on_every_rank(engine& e, const call& c, transfer& messages, const run_local& run)
{
    const recipe& r = c.site->what;
    std::vector<operand> operands(c.operands, c.operands + r.slots.size());
    std::vector<whole_copy> copies;
    for (std::size_t k = 0; k < operands.size(); ++k) {
        operand& o = operands[k];
        if (!o.data) continue;
        const bool written = is_written(r, k);
        if (written) content_changes(*o.data);
        if (!o.data->dealt) continue;
        whole_copy& all = copy_of(*o.data, copies);
        all.read = all.read || !written || is_part(o);
        all.written = all.written || written;
        o.data = all.there.get();
    }
    for (const whole_copy& k : copies)
        if (k.read) messages.redistribute(*k.original, *k.there);
    call here = c;
    here.operands = operands.data();
    run_for_results(e, here, run);
    for (const whole_copy& k : copies)
        if (k.written) messages.redistribute(*k.there, *k.original);
}

} // namespace skelrt::detail
