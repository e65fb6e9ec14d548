// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/replay/phases.hpp"

#include "src/data/parting/held.hpp"
#include "src/lowering/place/halo.hpp"
#include "src/lowering/ranks/call_share.hpp"
#include "src/lowering/ranks/join.hpp"
#include "src/lowering/ranks/needs/messages.hpp"
#include "src/lowering/ranks/needs/run_cuts.hpp"
#include "src/lowering/ranks/steps/edges_apart.hpp"
#include "src/lowering/replay/rebuilt_call.hpp"
#include "src/model/machine/network.hpp"

#include "codelets/accumulated.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace skelrt::detail
{

namespace
{

constexpr double fault_bytes = 1, count_bytes = 8;

void append(std::vector<message>& all, const std::vector<message>& more)
{
    all.insert(all.end(), more.begin(), more.end());
}

/// Used once.
class phases_of_call
{
public:
    phases_of_call(const recording& r, const recorded_call& c, unsigned ranks, const cost_of_share& cost,
                   const network_peaks& network)
        : what_(r.recipes[c.recipe]), recorded_(c), ranks_(ranks), cost_(cost), network_(network), rebuilt_(r, c, ranks)
    {
    }

    call_phases find()
    {
        const call& c = rebuilt_.get();
        result_.share_us.assign(ranks_, 0);
        if (c.rows == 0 || c.cols == 0 || c.depth == 0) return std::move(result_);
        if (what_.kind == skeleton::wavefront || (c.part.given() && !part_lies_alike(c, ranks_))) take_wholes();
        else take_shares();
        if (ranks_ == 1) add_share(1);
        else if (has_partial_results(c)) add_joined_share();
        else if (what_.kind == skeleton::accumulate) add_accumulation();
        else if (what_.kind == skeleton::scan) add_scan();
        else if (what_.kind == skeleton::scan_columns) add_column_scan();
        else if (what_.kind == skeleton::filter) add_filter();
        else if (what_.kind == skeleton::sort) add_sort();
        else add_share(1);
        return std::move(result_);
    }

private:
    void take_shares()
    {
        const call& c = rebuilt_.get();
        lines_.resize(ranks_);
        std::vector<phase> exchanges;
        const auto add = [&](std::size_t k, unsigned rank, std::size_t slot, const auto& messages, bool of_edges) {
            if (k == exchanges.size()) exchanges.push_back({phase::what::exchange, slot, {}, 0, 1, of_edges});
            append(exchanges[k].messages, messages_from(rank, messages, c.operands[slot].data->element_size));
        };
        for (unsigned rank = 0; rank < ranks_; ++rank) {
            const call_share share(c, rank, ranks_);
            lines_[rank] = share.lines().count;
            if (!share.empty()) time_share(rank, share.mine());
            std::size_t k = 0;
            for (const operand_passage& x : share.passages()) {
                add(k++, rank, x.slot, x.messages, false);
                const std::size_t wanted = x.need.rows.count * x.need.cols.count;
                if (x.needs_stand_in()) hold(rank, static_cast<double>(wanted * c.operands[x.slot].data->element_size));
            }
            for (const lines_exchange& x : share.exchanges()) {
                add(k++, rank, x.slot, x.messages, true);
                for (const message& m : messages_to(rank, x.messages, c.operands[x.slot].data->element_size))
                    hold(rank, m.bytes);
            }
        }
        result_.phases = std::move(exchanges);
    }

    /// Every rank gets all operands, and does the whole call.
    void take_wholes()
    {
        const call& c = rebuilt_.get();
        const auto n = static_cast<double>(evaluations(c));
        result_.share_us.assign(ranks_, cost_(n).us(n));
        for (std::size_t k = 0; k + 1 < what_.slots.size(); ++k) {
            const storage* const s = c.operands[k].data;
            if (!s || !s->dealt) continue;
            phase p{phase::what::exchange, k, {}, 0, 1};
            for (unsigned from = 0; from < ranks_; ++from) {
                const double bytes = static_cast<double>(held_by(*s->dealt, from).count()) * s->element_size;
                for (unsigned to = 0; to < ranks_; ++to) {
                    if (to == from || bytes == 0) continue;
                    p.messages.push_back({from, to, bytes});
                    hold(to, bytes);
                }
            }
            result_.phases.push_back(std::move(p));
        }
    }

    /// Steps of a pass but the last compute lines beside the part, for the next ones.
    void time_share(unsigned rank, const call& mine)
    {
        const auto n = static_cast<double>(evaluations(mine) + twice_computed(mine));
        const share_cost cost = cost_(n);
        result_.share_us[rank] = cost.us(n);
        share_with_edges s = edges_of(mine);
        if (s.edges == 0) return;
        s.message_us = message_us(network_, static_cast<double>(s.bytes));
        s.task_us = cost.task_us;
        s.work_us = cost.evaluation_us * n;
        const std::size_t tiles = tiles_for_edges(s);
        if (tiles == 0) return;
        result_.edges_us.resize(ranks_);
        const double part = static_cast<double>(edge_lines(s, tiles)) / static_cast<double>(s.lines);
        result_.edges_us[rank] = s.edges * s.task_us + part * s.work_us;
        result_.share_us[rank] += edges_cost_us(s, tiles);
    }

    static std::size_t twice_computed(const call& mine)
    {
        if (mine.site->what.kind != skeleton::stencil) return 0;
        const line_reach reach = reach_in_lines(mine.site->what.stencil, mine.matrix);
        const auto [front, back] = sides_with_others(mine);
        const std::size_t lines = (front ? reach.before : 0) + (back ? reach.after : 0);
        return mine.steps * (mine.steps - 1) / 2 * lines * (mine.matrix ? mine.cols : 1);
    }

    void hold(unsigned rank, double bytes)
    {
        result_.extra_bytes.resize(ranks_);
        result_.extra_bytes[rank] += bytes;
    }

    void add_share(double shares) { result_.phases.push_back({phase::what::share, 0, {}, 0, shares}); }
    /// Every rank hears whether it went well.
    void add_together() { add_gather(fault_bytes); }
    void add_gather(double bytes) { result_.phases.push_back({phase::what::gather, 0, {}, bytes, 1}); }

    void add_joined_share()
    {
        const double values = what_.kind == skeleton::reduce ? 1 : static_cast<double>(rebuilt_.get().result.cols);
        add_share(1);
        result_.phases.push_back({phase::what::join, 0, {}, values * what_.result_size + fault_bytes, 1});
    }

    /// Each rank gets from each other what it holds: as many bytes as where each gives that part to all.
    void add_accumulation()
    {
        const call& c = rebuilt_.get();
        const std::size_t values = accumulated_values(c.site->what, c.operands);
        add_share(1);
        add_together();
        add_gather(static_cast<double>(values * what_.result_size) / ranks_);
    }

    /// Reduced first, which reads what a scan reads and writes.
    void add_scan()
    {
        constexpr double reduction = 0.5;
        add_share(reduction);
        add_together();
        add_gather(what_.result_size + fault_bytes);
        add_share(1);
    }

    /// Reduced first; each rank sends its row of sums to all behind it, and nobody's program waits.
    void add_column_scan()
    {
        constexpr double reduction = 0.5;
        add_share(reduction);
        const double row = static_cast<double>(recorded_.cols) * what_.result_size;
        phase p{phase::what::deliver, 0, {}, 0, 1};
        for (unsigned from = 0; from < ranks_; ++from)
            for (unsigned to = from + 1; to < ranks_; ++to)
                if (lines_[from] > 0 && lines_[to] > 0) p.messages.push_back({from, to, row});
        result_.phases.push_back(std::move(p));
        add_share(1);
    }

    /// As if each rank kept as much of what it has, but for what chance makes of it: parts never end where they should.
    void add_filter()
    {
        add_share(1);
        add_together();
        add_gather(count_bytes);
        const double part = static_cast<double>(recorded_.kept) / static_cast<double>(recorded_.rows * recorded_.cols);
        std::size_t lines = 0, kept = 0;
        std::vector<position_run> held;
        for (const std::size_t n : lines_) {
            lines += n;
            const double likely = part * static_cast<double>(lines), chance = std::sqrt((1 - part) * likely);
            const auto end = std::min(recorded_.kept, static_cast<std::size_t>(std::llround(likely + chance)));
            held.push_back({kept, end - kept});
            kept = end;
        }
        const parting wanted = balanced(1, kept, false, ranks_);
        phase p{phase::what::deliver, 0, {}, 0, 1};
        for (unsigned rank = 0; rank < ranks_; ++rank)
            append(p.messages, messages_from(rank,
                                             exchange_of(
                                                 ranks_, [&](unsigned who) { return held[who]; },
                                                 [&](unsigned who) { return ascending({wanted.block_of(who)}); }, rank),
                                             what_.result_size));
        result_.phases.push_back(std::move(p));
    }

    /// As if each rank had a fair sample of all items.
    void add_sort()
    {
        const double item = item_bytes(), cuts = ranks_ - 1;
        add_share(1);
        add_together();
        add_gather(count_bytes);
        for (std::size_t k = rounds_of_search(); k > 0; --k) {
            add_gather(cuts * item);
            add_gather((cuts + 1) * count_bytes);
        }
        phase p{phase::what::swap, 0, {}, 0, 1};
        for (unsigned from = 0; from < ranks_; ++from)
            for (unsigned to = 0; to < ranks_; ++to)
                if (from != to && lines_[from] >= ranks_)
                    p.messages.push_back({from, to, item * static_cast<double>(lines_[from]) / ranks_});
        result_.phases.push_back(std::move(p));
        // Merges of runs, two and two, are the last rounds of the sort that one process does.
        const double sorted = std::log2(static_cast<double>(std::max<std::size_t>(lines_[0], 2)));
        add_share(std::log2(ranks_) / sorted);
        add_together();
    }

    double item_bytes() const
    {
        double bytes = what_.slots.front().size;
        for (const recorded_slot& s : what_.slots)
            if (s.kind == slot_kind::output) bytes += s.size;
        return bytes;
    }

    /// Until the middle of items that follow each other around the ranks is found.
    std::size_t rounds_of_search() const
    {
        std::size_t all = 0, rounds = 0;
        for (const std::size_t n : lines_) all += n;
        run_cuts search(lines_, all / 2);
        for (; !search.found(); ++rounds) {
            const run_item p = search.pivot();
            std::vector<std::size_t> before;
            for (std::size_t rank = 0; rank < lines_.size(); ++rank)
                before.push_back(std::min(lines_[rank], p.number + (rank < p.rank ? 1 : 0)));
            search.take(before);
        }
        return rounds;
    }

    const recorded_recipe& what_;
    const recorded_call& recorded_;
    const unsigned ranks_;
    const cost_of_share& cost_;
    const network_peaks& network_;
    const rebuilt_call rebuilt_;
    std::vector<std::size_t> lines_;
    call_phases result_;
};

} // namespace

call_phases phases_of(const recording& r, const recorded_call& c, unsigned ranks, const cost_of_share& cost,
                      const network_peaks& network)
{
    return phases_of_call(r, c, ranks, cost, network).find();
}

} // namespace skelrt::detail
