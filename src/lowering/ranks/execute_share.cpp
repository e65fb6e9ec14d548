// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/execute_share.hpp"

#include "src/cluster/faults.hpp"
#include "src/cluster/peers.hpp"
#include "src/data/memory/host_storage.hpp"
#include "src/lowering/engine.hpp"
#include "src/lowering/place/storages_of.hpp"
#include "src/lowering/ranks/bring_operands.hpp"
#include "src/lowering/ranks/call_faults.hpp"
#include "src/lowering/ranks/call_share.hpp"
#include "src/lowering/ranks/filter_share.hpp"
#include "src/lowering/ranks/messages/transfer.hpp"
#include "src/lowering/ranks/partings/call_in_blocks.hpp"
#include "src/lowering/ranks/partings/call_on_every_rank.hpp"
#include "src/lowering/ranks/products/choice.hpp"
#include "src/lowering/ranks/products/product.hpp"
#include "src/lowering/ranks/products/run_in_panels.hpp"
#include "src/lowering/ranks/record_call.hpp"
#include "src/lowering/ranks/reductions/accumulation.hpp"
#include "src/lowering/ranks/reductions/column_scan.hpp"
#include "src/lowering/ranks/reductions/scalar_reduction.hpp"
#include "src/lowering/ranks/reductions/scan_share.hpp"
#include "src/lowering/ranks/sort_share.hpp"

#include <vector>

namespace skelrt::detail
{

namespace
{

void note_writes(const call& c)
{
    for_each_storage(c, [](storage& s, bool written) {
        if (written) content_changes(s);
    });
}

void run_share(engine& e, const call& c, const call_share& share, transfer& messages, const run_local& run)
{
    if (reduces_to_scalar(c)) run_to_scalar(e, c, share, run);
    else if (has_partial_results(c)) run_and_join(e, c, share, run);
    else if (c.site->what.kind == skeleton::accumulate) run_accumulation(e, c, share, run);
    else if (c.site->what.kind == skeleton::scan) run_scan(e, c, share, run);
    else if (c.site->what.kind == skeleton::scan_columns) run_column_scan(e, c, share, run);
    else if (c.site->what.kind == skeleton::filter) run_filter(e, c, share, messages, run);
    else if (c.site->what.kind == skeleton::sort) run_sort(e, c, share, run);
    else if (!share.empty()) run_for_results(e, share.mine(), run);
}

/// Of a call whose operands are dealt out in blocks, or not at all.
void execute_in_blocks(engine& e, const call& c, transfer& messages, const run_local& run)
{
    const peers& others = *e.cluster;
    call_share share(c, static_cast<unsigned>(others.rank()), static_cast<unsigned>(others.size()));
    foreign_lines around(share.numbered_lines());
    std::vector<storage_ref> stand_ins;
    if (!share.passages().empty() || !share.exchanges().empty())
        or_tell([&] { stand_ins = bring_operands(e, c, share, messages, around); });
    note_writes(c); // what the call reads it reads as it was
    const call_faults faults(c, !share.empty());
    run_share(e, c, share, messages, run);
    // A filter has waited for what it reads, and the room that it wrote to is gone.
    if (c.site->what.kind != skeleton::filter) faults.hand_on();
}

} // namespace

void execute_over_ranks(engine& e, const call& c, const run_local& run)
{
    record_call(e, c);
    if (c.rows == 0 || c.cols == 0 || c.depth == 0) {
        note_writes(c);
        return run(c);
    }
    if (const auto p = product::of(c); p && goes_by_panels(e, c, *p)) {
        transfer messages(e);
        return run_in_panels(e, c, *p, messages, run);
    }
    std::vector<operand> operands;
    if (const auto mine = as_it_lies(c, operands)) {
        const bool has_share = mine->rows * mine->cols > 0;
        const call_faults faults(c, has_share);
        note_writes(c);
        if (has_share) run_for_results(e, *mine, run);
        faults.hand_on();
        return;
    }
    transfer messages(e);
    const bool apart = c.part.given() && !part_lies_alike(c, static_cast<unsigned>(e.cluster->size()));
    if (c.site->what.kind == skeleton::wavefront || apart) return run_on_every_rank(e, c, messages, run);
    call_in_blocks there(c, messages);
    execute_in_blocks(e, there.get(), messages, run);
    there.bring_results_home();
}

} // namespace skelrt::detail
