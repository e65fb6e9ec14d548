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
#include "src/lowering/ranks/reductions/column_scan.hpp"
#include "src/lowering/ranks/reductions/scalar_reduction.hpp"
#include "src/lowering/ranks/reductions/scan_share.hpp"
#include "src/lowering/ranks/sort_share.hpp"
#include "src/lowering/ranks/transfer.hpp"

#include <memory>
#include <vector>

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

/// Data that takes an operand's place, and the number of its first element in the operand's container.
struct stand_in {
    storage_ref data;
    std::size_t first;
};

stand_in stand_in_for(storage& from, const operand_exchange& x, unsigned rank, transfer& messages)
{
    if (!x.is_here) return {messages.make_stand_in(from, x.wanted, x.messages), x.wanted.first};
    const known_copies& known = *host_part(from).copies;
    return {known.here, known.of_rank[rank].first};
}

/// From now on ranks have what this call has brought them; `here`: to this one, or null.
void note_copies(storage& from, const operand_exchange& x, unsigned rank, const storage_ref& here)
{
    std::unique_ptr<known_copies>& known = host_part(from).copies;
    if (!known) known = std::make_unique<known_copies>(known_copies{std::vector<position_run>(x.of_ranks.size()), {}});
    for (unsigned who = 0; who < x.of_ranks.size(); ++who) {
        if (known->has(who, x.of_ranks[who])) continue;
        known->of_rank[who] = x.of_ranks[who];
        if (who == rank) known->here = here;
    }
}

/// What goes out goes first: others wait for it.
std::vector<storage_ref> exchange_operands(const call& c, call_share& share, unsigned rank, transfer& messages,
                                           foreign_lines& around)
{
    for (const operand_exchange& x : share.exchanges()) messages.send(*c.operands[x.slot].data, x.messages);
    std::vector<storage_ref> stand_ins;
    for (const operand_exchange& x : share.exchanges()) {
        storage& from = *c.operands[x.slot].data;
        if (x.around) {
            messages.take_lines(from, x.messages, x.slot, c.operands[x.slot].offset, c.matrix ? c.cols : 1, around);
            if (share.needs_foreign(x)) share.use_foreign(around);
        } else if (x.needs_stand_in()) {
            const stand_in made = stand_in_for(from, x, rank, messages);
            stand_ins.push_back(made.data);
            share.use_stand_in(x.slot, *made.data, made.first);
            if (!x.of_ranks.empty()) note_copies(from, x, rank, made.data);
        } else if (!x.of_ranks.empty()) {
            note_copies(from, x, rank, {});
        }
    }
    return stand_ins;
}

void note_writes(const call& c)
{
    for_each_storage(c, [](storage& s, bool written) {
        if (written) content_changes(s);
    });
}

void run_share(engine& e, const call& c, const call_share& share, const run_local& run)
{
    if (reduces_to_scalar(c)) run_to_scalar(e, c, share, run);
    else if (has_partial_results(c)) run_and_join(e, c, share, run);
    else if (c.site->what.kind == skeleton::scan) run_scan(e, c, share, run);
    else if (c.site->what.kind == skeleton::scan_columns) run_column_scan(e, c, share, run);
    else if (c.site->what.kind == skeleton::filter) run_filter(e, c, share, run);
    else if (c.site->what.kind == skeleton::sort) run_sort(e, c, share, run);
    else if (!share.empty()) run_for_results(e, share.mine(), run);
}

} // namespace

void execute_over_ranks(engine& e, const call& c, const run_local& run)
{
    peers& others = *e.cluster;
    record(others, c);
    refuse_shared_results(c);
    if (c.rows == 0 || c.cols == 0 || c.depth == 0) {
        note_writes(c);
        return run(c);
    }
    const auto rank = static_cast<unsigned>(others.rank());
    call_share share(c, rank, static_cast<unsigned>(others.size()));
    if (share.exchanges().empty()) {
        note_writes(c);
        return run_share(e, c, share, run);
    }
    transfer messages(e);
    foreign_lines around(share.lines());
    const auto stand_ins = or_tell([&] { return exchange_operands(c, share, rank, messages, around); });
    note_writes(c); // what the call reads it reads as it was
    run_share(e, c, share, run);
}

} // namespace skelrt::detail
