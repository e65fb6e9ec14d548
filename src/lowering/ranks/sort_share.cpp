// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/sort_share.hpp"

#include "src/cluster/faults.hpp"
#include "src/cluster/peers.hpp"
#include "src/cluster/trees.hpp"
#include "src/data/memory/memory.hpp"
#include "src/data/parting/opened_on_host.hpp"
#include "src/lowering/caller/in_parts.hpp"
#include "src/lowering/engine.hpp"
#include "src/lowering/ranks/call_faults.hpp"
#include "src/lowering/ranks/call_share.hpp"
#include "src/lowering/ranks/needs/run_cuts.hpp"

#include "codelets/element_memory.hpp"

#include <skelrt/detail/user_code.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <exception>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace skelrt::detail
{

namespace
{

/// What a rank has of the sorted elements, as items in the host's memory.
class sorted_items
{
public:
    sorted_items(const call& mine, std::size_t count)
        : mine_(mine), typed_(*mine.site->what.cpu.sort), count_(count), items_(count * typed_.item_size)
    {
    }

    std::size_t count() const noexcept { return count_; }
    std::byte* at(std::size_t number) const noexcept { return items_.data() + number * typed_.item_size; }

    void load()
    {
        with_results(access::read, [&](const cpu_block& b, std::byte* items) {
            if (!typed_.plain) typed_.load(b, items);
            else if (b.slots[0].stride == 1) std::memcpy(items, b.slots[0].data, b.where.cols * typed_.item_size);
            else for_each_item(b, items, [&](std::byte* item, std::byte* result) { copy(item, result); });
        });
    }
    void store()
    {
        with_results(access::read_write, [&](const cpu_block& b, std::byte* items) {
            if (!typed_.plain) typed_.store(b, items);
            else if (b.slots[0].stride == 1) std::memcpy(b.slots[0].data, items, b.where.cols * typed_.item_size);
            else for_each_item(b, items, [&](std::byte* item, std::byte* result) { copy(result, item); });
        });
    }

    /// Items in front of another rank's pivot, or of this one's: of equal ones those of the first rank come first.
    std::size_t before(const std::byte* pivot, bool also_equal) const
    {
        std::size_t first = 0, last = count_;
        while (first < last) {
            const std::size_t middle = first + (last - first) / 2;
            const bool in_front = also_equal ? !typed_.before(pivot, at(middle)) : typed_.before(at(middle), pivot);
            (in_front ? first : last) = in_front ? middle + 1 : middle;
        }
        return first;
    }

    /// Merges runs that follow each other here, of so many items each: neighbours first, so that equal items stay in
    /// order. Each core makes an equal part of what two of them become.
    void merge(std::vector<std::size_t> runs)
    {
        host_room other(count_ * typed_.item_size);
        while (runs.size() > 1) {
            std::vector<std::size_t> merged;
            std::size_t begin = 0;
            for (std::size_t k = 0; k < runs.size(); k += 2) {
                const std::size_t left = runs[k], right = k + 1 < runs.size() ? runs[k + 1] : 0;
                std::byte* const to = other.data() + begin * typed_.item_size;
                in_parts(left + right, worth_a_core, [&](std::size_t first, std::size_t last) {
                    typed_.merge(
                        {at(begin), left, at(begin + left), right, first, last, to + first * typed_.item_size});
                });
                merged.push_back(left + right);
                begin += left + right;
            }
            std::swap(items_, other);
            runs = std::move(merged);
        }
    }

private:
    static constexpr std::size_t worth_a_core = std::size_t{1} << 14; ///< items: some ten microseconds

    /// use(block, items) for parts of the results, on all cores. The slots of a sort by key are the keys and values,
    /// and where both go; they are the same here.
    template <class Use>
    void with_results(access how, Use use)
    {
        const std::size_t slots = mine_.site->what.slots.size();
        const operand& key = mine_.operands[slots - 1];
        const operand& value = typed_.plain ? key : mine_.operands[slots - 2];
        const opened_on_host keys(*key.data, how);
        std::optional<opened_on_host> values;
        if (value.data != key.data) values.emplace(*value.data, how);
        in_parts(key.cols, worth_a_core, [&](std::size_t first, std::size_t last) {
            const slot_view k = view_of(key, first, last), v = view_of(value, first, last), views[] = {k, v, v, k};
            use(cpu_block{{1, last - first, 0, first}, mine_.width, views, &mine_.site->what}, at(first));
        });
    }
    static slot_view view_of(const operand& o, std::size_t first, std::size_t last)
    {
        std::byte* const data = o.data->data + (o.offset + first * o.stride) * o.data->element_size;
        return {data, 0, 1, last - first, o.ld, o.stride};
    }
    /// Items are the results, which do not follow each other.
    template <class Use>
    void for_each_item(const cpu_block& b, std::byte* items, Use use) const
    {
        for (std::size_t i = 0; i < b.where.cols; ++i)
            use(items + i * typed_.item_size,
                static_cast<std::byte*>(b.slots[0].data) + i * b.slots[0].stride * typed_.item_size);
    }
    void copy(std::byte* to, const std::byte* from) const { std::memcpy(to, from, typed_.item_size); }

    const call& mine_;
    const sort_functions& typed_;
    std::size_t count_;
    host_room items_;
};

/// Where the ranks' runs are cut between a rank and the next one, for each but the last.
class sorted_runs
{
public:
    sorted_runs(peers& others, const sorted_items& mine)
        : others_(others), mine_(mine),
          counts_(gather_values(others, std::span<const std::size_t>(std::array{mine.count()})))
    {
    }

    const std::vector<std::size_t>& counts() const noexcept { return counts_; }

    /// Of each rank, the first item of each run that goes to it, and at last the ends of the runs.
    std::vector<std::vector<std::size_t>> find_cuts(std::size_t item_size)
    {
        std::vector<run_cuts> searched;
        std::size_t in_front = 0;
        for (const std::size_t n : counts_) searched.emplace_back(counts_, std::exchange(in_front, in_front + n));
        while (std::ranges::any_of(searched, [](const run_cuts& c) { return !c.found(); })) step(searched, item_size);
        std::vector<std::vector<std::size_t>> cuts;
        for (const run_cuts& c : searched) cuts.push_back(c.cuts());
        cuts.push_back(counts_);
        for (std::size_t k = 1; k < cuts.size(); ++k) // where the order is none
            for (std::size_t r = 0; r < counts_.size(); ++r) cuts[k][r] = std::max(cuts[k][r], cuts[k - 1][r]);
        return cuts;
    }

private:
    /// One pivot for each that is still searched for.
    void step(std::vector<run_cuts>& searched, std::size_t item_size)
    {
        std::vector<run_cuts*> open;
        for (run_cuts& c : searched)
            if (!c.found()) open.push_back(&c);
        const std::size_t me = static_cast<std::size_t>(others_.rank()), ranks = counts_.size();
        std::vector<std::byte> items(open.size() * item_size);
        for (std::size_t k = 0; k < open.size(); ++k)
            if (const run_item p = open[k]->pivot(); p.rank == me)
                std::memcpy(&items[k * item_size], mine_.at(p.number), item_size);
        const std::vector<std::byte> all = all_gather(others_, items);
        std::vector<std::size_t> before(open.size() + 1); // the last says whether a comparison failed
        std::exception_ptr failed;
        try {
            const in_user_code mark;
            const element_memory room(item_size); // where an item may lie
            for (std::size_t k = 0; k < open.size(); ++k) {
                const run_item p = open[k]->pivot();
                std::memcpy(room.data(), &all[(p.rank * open.size() + k) * item_size], item_size);
                before[k] = p.rank == me ? p.number : mine_.before(room.data(), me < p.rank);
            }
        } catch (...) {
            failed = std::current_exception();
            before.back() = 1;
        }
        const std::vector<std::size_t> told = gather_values<std::size_t>(others_, before);
        const auto of_rank = [&](std::size_t r, std::size_t k) { return told[r * before.size() + k]; };
        for (std::size_t r = 0; r < ranks; ++r)
            if (of_rank(r, open.size()) != 0) throw_together(others_, failed);
        for (std::size_t k = 0; k < open.size(); ++k) {
            std::vector<std::size_t> runs(ranks);
            for (std::size_t r = 0; r < ranks; ++r) runs[r] = of_rank(r, k);
            open[k]->take(runs);
        }
    }

    peers& others_;
    const sorted_items& mine_;
    const std::vector<std::size_t> counts_;
};

/// Items of each run that go to a rank.
std::vector<std::size_t> pieces_of(const std::vector<std::vector<std::size_t>>& cuts, std::size_t rank)
{
    std::vector<std::size_t> pieces;
    for (std::size_t r = 0; r < cuts[rank].size(); ++r) pieces.push_back(cuts[rank + 1][r] - cuts[rank][r]);
    return pieces;
}

/// Pieces that come follow each other in `to`.
void swap_pieces(peers& others, const sorted_items& from, const std::vector<std::vector<std::size_t>>& cuts,
                 const sorted_items& to)
{
    const std::size_t me = static_cast<std::size_t>(others.rank());
    std::vector<outgoing> out;
    std::vector<incoming> in;
    std::size_t place = 0;
    for (std::size_t other = 0; other + 1 < cuts.size(); ++other) {
        const std::size_t come = cuts[me + 1][other] - cuts[me][other];
        const std::span<const std::byte> sent(from.at(cuts[other][me]), from.at(cuts[other + 1][me]));
        const std::span<std::byte> coming(to.at(place), to.at(place + come));
        place += come;
        if (other == me) std::ranges::copy(sent, coming.begin());
        else {
            if (!sent.empty()) out.push_back({static_cast<int>(other), sent});
            if (!coming.empty()) in.push_back({static_cast<int>(other), coming});
        }
    }
    others.swap_values(out, in);
}

} // namespace

void run_sort(engine& e, const call& c, const call_share& share, const run_local& run)
{
    peers& others = *e.cluster;
    const sort_functions& typed = *c.site->what.cpu.sort;
    const std::size_t mine = share.empty() ? 0 : share.lines().count;
    call here = share.mine();
    here.first_line = 0, here.whole_lines = mine; // a sort of its own
    std::optional<sorted_items> items, merged;
    together(others, [&] {
        check_operands(c, !share.empty());
        items.emplace(here, mine);
        if (share.empty()) return;
        run(here);
        e.order.flush();
        items->load();
    });
    const auto cuts = sorted_runs(others, *items).find_cuts(typed.item_size);
    std::vector<std::size_t> runs = pieces_of(cuts, static_cast<std::size_t>(others.rank()));
    const std::size_t come = std::accumulate(runs.begin(), runs.end(), std::size_t{0});
    or_tell([&] { merged.emplace(here, std::max(come, mine)); });
    swap_pieces(others, *items, cuts, *merged);
    if (come < mine) { // the comparator is no order: some elements or others
        std::memcpy(merged->at(come), items->at(come), (mine - come) * typed.item_size);
        runs.push_back(mine - come);
    }
    together(others, [&] {
        merged->merge(std::move(runs));
        if (!share.empty()) merged->store();
    });
}

} // namespace skelrt::detail
