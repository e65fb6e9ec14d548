// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/reductions/column_scan.hpp"

#include "src/cluster/faults.hpp"
#include "src/cluster/peers.hpp"
#include "src/data/managed.hpp"
#include "src/data/memory/host_storage.hpp"
#include "src/data/parting/held.hpp"
#include "src/lowering/engine.hpp"
#include "src/lowering/place/foreign_lines.hpp"
#include "src/lowering/ranks/call_share.hpp"
#include "src/lowering/ranks/messages/transfer.hpp"
#include "src/lowering/ranks/reductions/recipes.hpp"

#include <mutex>
#include <vector>

namespace skelrt::detail
{

namespace
{

/// The ranks' sums, as a matrix that has a row for each rank which has rows of the scan.
class rows_of_sums
{
public:
    rows_of_sums(const call_share& share, std::size_t cols, unsigned ranks) : held_(ranks)
    {
        for (const unsigned rank : share.sharers()) {
            held_[rank] = {count_, cols};
            count_ += cols;
        }
    }
    bool is_last(unsigned rank) const noexcept { return held_[rank].end() == count_; }
    position_run held(unsigned rank) const noexcept { return held_[rank]; }
    /// All rows in front.
    position_run wanted(unsigned rank) const noexcept { return {0, held_[rank].first}; }

private:
    std::size_t count_ = 0;
    std::vector<position_run> held_;
};

storage_ref row_of_results(const call& c) { return create_held(all_held(1, c.cols), c.site->what.result_size, false); }

operand whole_row(storage& s) { return {&s, nullptr, 0, 1, s.cols, s.cols, 1}; }

storage_ref sum_share(engine& e, const call& c, const call_share& share, const run_local& run)
{
    storage_ref sums = row_of_results(c);
    call sum = share.mine();
    sum.site = &reduction_of(c.site->what);
    sum.start = nullptr;
    sum.result = whole_row(*sums);
    run_for_results(e, sum, run);
    return sums;
}

/// What is in front of the share: one value a column, in one tile.
storage_ref combine(engine& e, const call& c, storage& sums, const run_local& run)
{
    storage_ref front = row_of_results(c);
    {
        const std::lock_guard lock(e.order);
        manage_with_tiles(*front, c.cols);
    }
    const operand rows{&sums, nullptr, 0, sums.rows, sums.cols, sums.cols, 1};
    call all;
    all.site = &reduction_of_results(c.site->what);
    all.set_space({2, sums.rows, sums.cols});
    all.operands = &rows;
    all.result = whole_row(*front);
    all.start = c.start;
    run_for_results(e, all, run);
    return front;
}

} // namespace

void run_column_scan(engine& e, const call& c, const call_share& share, const run_local& run)
{
    peers& others = *e.cluster;
    const recipe& r = c.site->what;
    others.calls.record(r.key, r.name.c_str(), r.first_at, c.rows, c.cols); // its messages are beside the operands'
    if (share.empty()) return;
    const auto rank = static_cast<unsigned>(others.rank()), ranks = static_cast<unsigned>(others.size());
    const rows_of_sums rows(share, c.cols, ranks);
    const auto in_one_row = [](const position_run& run) { return element_grid{{{0, 1}}, ascending({run})}; };
    const passage x = passage_of(
        ranks, [&](unsigned who) { return in_one_row(rows.held(who)); },
        [&](unsigned who) { return in_one_row(rows.wanted(who)); }, rank);
    storage_ref front;
    foreign_lines around(share.lines());
    or_tell([&] {
        transfer messages(e);
        const storage_ref sums = rows.is_last(rank) ? row_of_results(c) : sum_share(e, c, share, run);
        messages.send(*sums, x);
        if (!share.is_first()) {
            const storage_ref before =
                create_held(all_held(rows.wanted(rank).count / c.cols, c.cols), r.result_size, true);
            messages.fill(*before, *sums, x);
            front = combine(e, c, *before, run);
            around.put_in_front(*front);
        }
    });
    call mine = share.mine();
    if (front) mine.foreign = &around;
    run_for_results(e, mine, run);
}

} // namespace skelrt::detail
