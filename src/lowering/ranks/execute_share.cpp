#include "src/lowering/ranks/execute_share.hpp"

#include "src/cluster/faults.hpp"
#include "src/cluster/peers.hpp"
#include "src/data/memory/host_storage.hpp"
#include "src/lowering/engine.hpp"
#include "src/lowering/hash_combine.hpp"
#include "src/lowering/place/storages_of.hpp"
#include "src/lowering/ranks/call_share.hpp"
#include "src/lowering/ranks/filter_share.hpp"
#include "src/lowering/ranks/not_yet.hpp"
#include "src/lowering/ranks/partings/call_in_blocks.hpp"
#include "src/lowering/ranks/scan_share.hpp"
#include "src/lowering/ranks/sort_share.hpp"
#include "src/lowering/ranks/transfer.hpp"

namespace skelrt::detail
{

namespace
{

/// All of a call that decides what ranks tell each other.
std::uint64_t hash_of(const call& c)
{
    std::uint64_t hash = c.site->what.key;
    const auto add = [&](std::uint64_t value) { hash = hash_combine(hash, value); };
    for (const std::size_t n : {c.rows, c.cols, c.depth, std::size_t{c.steps}}) add(n);
    for_each_container(c, [&](const operand& o, slot_kind, bool) {
        for (const std::size_t n : {o.offset, o.rows, o.cols, o.ld, o.stride}) add(n);
        for (const std::size_t n : {o.data->shape_rows, o.data->shape_cols}) add(n);
    });
    return hash;
}

void record(peers& others, const call& c)
{
    const recipe& r = c.site->what;
    others.refuse_other_threads(r.name.c_str(), r.first_at);
    others.calls.record(hash_of(c), r.name.c_str(), r.first_at, c.rows, c.cols);
}

/// What the share needs of an operand, in one piece.
storage_ref make_stand_in(const operand_passage& x, storage& from, transfer& messages)
{
    const bool rows = x.need.rows.count > 1;
    storage_ref made = create_held(all_held(x.need.rows.count, x.need.cols.count), from.element_size, rows);
    messages.fill(*made, from, x.messages);
    return made;
}

/// What goes out goes first: others wait for it.
std::vector<storage_ref> exchange_operands(const call& c, call_share& share, transfer& messages, foreign_lines& around)
{
    const auto data_of = [&](std::size_t slot) -> storage& { return *c.operands[slot].data; };
    for (const operand_passage& x : share.passages()) messages.send(data_of(x.slot), x.messages);
    for (const lines_exchange& x : share.exchanges()) messages.send(data_of(x.slot), x.messages);
    std::vector<storage_ref> stand_ins;
    for (const operand_passage& x : share.passages()) {
        if (!x.needs_stand_in()) continue;
        stand_ins.push_back(make_stand_in(x, data_of(x.slot), messages));
        share.use_stand_in(x, *stand_ins.back());
    }
    for (const lines_exchange& x : share.exchanges()) {
        const std::size_t width = c.matrix ? c.cols : 1;
        messages.take_lines(data_of(x.slot), x.messages, x.slot, c.operands[x.slot].offset, width, around);
        if (share.needs_foreign(x)) share.use_foreign(around);
    }
    return stand_ins;
}

void run_share(engine& e, const call& c, const call_share& share, transfer& messages, const run_local& run)
{
    if (has_partial_results(c)) run_and_join(e, c, share, run);
    else if (c.site->what.kind == skeleton::scan) run_scan(e, c, share, run);
    else if (c.site->what.kind == skeleton::filter) run_filter(e, c, share, messages, run);
    else if (c.site->what.kind == skeleton::sort) run_sort(e, c, share, run);
    else if (!share.empty()) run_for_results(e, share.mine(), run);
}

/// Of a call whose operands are dealt out in blocks, or not at all.
void execute_in_blocks(engine& e, const call& c, transfer& messages, const run_local& run)
{
    const peers& others = *e.cluster;
    call_share share(c, static_cast<unsigned>(others.rank()), static_cast<unsigned>(others.size()));
    if (share.passages().empty() && share.exchanges().empty()) return run_share(e, c, share, messages, run);
    foreign_lines around(share.lines());
    const auto stand_ins = or_tell([&] { return exchange_operands(c, share, messages, around); });
    run_share(e, c, share, messages, run);
}

} // namespace

void execute_over_ranks(engine& e, const call& c, const run_local& run)
{
    peers& others = *e.cluster;
    record(others, c);
    refuse_skeletons(c);
    if (c.rows == 0 || c.cols == 0 || c.depth == 0) return run(c);
    std::vector<operand> operands;
    if (const auto mine = as_it_lies(c, operands)) {
        if (mine->rows * mine->cols > 0) run_for_results(e, *mine, run);
        return;
    }
    transfer messages(e);
    call_in_blocks there(c, messages);
    execute_in_blocks(e, there.get(), messages, run);
    there.bring_results_home();
}

} // namespace skelrt::detail
