#include "src/lowering/ranks/execute_share.hpp"

#include "src/cluster/faults.hpp"
#include "src/cluster/peers.hpp"
#include "src/data/parts/part_copies.hpp"
#include "src/lowering/engine.hpp"
#include "src/lowering/hash_combine.hpp"
#include "src/lowering/place/storages_of.hpp"
#include "src/lowering/ranks/call_share.hpp"
#include "src/lowering/ranks/filter_share.hpp"
#include "src/lowering/ranks/not_yet.hpp"
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

/// What goes out goes first: others wait for it.
std::vector<storage_ref> exchange_operands(const call& c, call_share& share, transfer& messages, foreign_lines& around)
{
    for (const operand_exchange& x : share.exchanges()) messages.send(*c.operands[x.slot].data, x.messages);
    std::vector<storage_ref> stand_ins;
    for (const operand_exchange& x : share.exchanges()) {
        storage& from = *c.operands[x.slot].data;
        if (x.around) {
            messages.take_lines(from, x.messages, x.slot, c.operands[x.slot].offset, c.matrix ? c.cols : 1, around);
            if (share.needs_foreign(x)) share.use_foreign(around);
        } else if (x.needs_stand_in()) {
            stand_ins.push_back(messages.make_stand_in(from, x.wanted, x.messages));
            share.use_stand_in(x.slot, *stand_ins.back(), x.wanted.first);
        }
    }
    return stand_ins;
}

void run_share(engine& e, const call& c, const call_share& share, const run_local& run)
{
    if (has_partial_results(c)) run_and_join(e, c, share, run);
    else if (c.site->what.kind == skeleton::scan) run_scan(e, c, share, run);
    else if (c.site->what.kind == skeleton::filter) run_filter(e, c, share, run);
    else if (c.site->what.kind == skeleton::sort) run_sort(e, c, share, run);
    else if (!share.empty()) run_for_results(e, share.mine(), run);
}

} // namespace

void execute_over_ranks(engine& e, const call& c, const run_local& run)
{
    peers& others = *e.cluster;
    record(others, c);
    refuse_skeletons(c);
    refuse_shared_results(c);
    for_each_storage(c, [](storage& s, bool written) {
        if (written) forget_copies(s);
    });
    if (c.rows == 0 || c.cols == 0 || c.depth == 0) return run(c);
    call_share share(c, static_cast<unsigned>(others.rank()), static_cast<unsigned>(others.size()));
    if (share.exchanges().empty()) return run_share(e, c, share, run);
    transfer messages(e);
    foreign_lines around(share.lines());
    const auto stand_ins = or_tell([&] { return exchange_operands(c, share, messages, around); });
    run_share(e, c, share, run);
}

} // namespace skelrt::detail
