// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/reductions/accumulation.hpp"

#include "src/cluster/faults.hpp"
#include "src/cluster/peers.hpp"
#include "src/data/memory/host_storage.hpp"
#include "src/data/parting/held.hpp"
#include "src/data/parting/opened_on_host.hpp"
#include "src/lowering/engine.hpp"
#include "src/lowering/ranks/call_faults.hpp"
#include "src/lowering/ranks/call_share.hpp"

#include "codelets/accumulated.hpp"

#include <skelrt/error.hpp>
#include <skelrt/view.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <span>
#include <utility>
#include <vector>

namespace skelrt::detail
{

namespace
{

class accumulation : public joint_result
{
public:
    accumulation(const call& c, const call_share& share, peers& others)
        : call_(c), what_(c.site->what), others_(others), here_(static_cast<unsigned>(others.rank())),
          ranks_(static_cast<unsigned>(others.size())), givers_(share.sharers())
    {
    }

    void check_place() const override
    {
        for_each_part([&](const accumulated_part& part) {
            storage& to = storage_of(part);
            check_foreign_faults(to);
            wait_for(to, {0, to.rows, to.cols, to.cols, 1});
        });
    }

    void run(const call_share& share, const run_local& run) override
    {
        call mine = share.mine();
        std::vector<operand> operands(mine.operands, mine.operands + what_.slots.size());
        for_each_part([&](const accumulated_part& part) {
            const std::size_t n = part.count;
            own_.push_back(create_held(all_held(1, n), size_of(part), false));
            what_.cpu.clear(part.which, own_.back()->data, n);
            operands[part.slot] = {own_.back().get(), nullptr, 0, 1, n, n, 1};
        });
        mine.operands = operands.data();
        run(mine);
        for (const storage_ref& own : own_) {
            const opened_on_host waited(*own, access::read); // throws what went wrong in a task
        }
    }

    /// What all ranks give for the elements that this one holds.
    void join(bool, std::exception_ptr mine) override
    {
        throw_together(others_, mine);
        exchange();
    }

    void deliver() const override
    {
        if (total_.empty()) return;
        for_each_held(here_, [&](const accumulated_part& part, const position_run& held, std::size_t at) {
            storage& to = storage_of(part);
            const opened_on_host open(to, access::read_write);
            const std::size_t first = held.first + call_.operands[part.slot].offset - to.first;
            what_.cpu.join(part.which, open.data() + first * size_of(part), total_.data() + at, held.count);
        });
    }

private:
    template <class Visit>
    void for_each_part(Visit visit) const
    {
        for_each_accumulated(
            what_, [&](std::size_t slot) { return call_.operands[slot].cols; }, visit);
    }
    storage& storage_of(const accumulated_part& part) const { return *call_.operands[part.slot].data; }
    std::size_t size_of(const accumulated_part& part) const { return what_.slots[part.slot].size; }

    /// visit(accumulated_part, those of its elements that the rank holds, where these begin among all that it holds).
    /// Returns how many bytes they are.
    template <class Visit>
    std::size_t for_each_held(unsigned rank, Visit visit) const
    {
        std::size_t at = 0;
        for_each_part([&](const accumulated_part& part) {
            const std::size_t offset = call_.operands[part.slot].offset;
            const position_run all = storage_of(part).dealt->block_of(rank); // copies in blocks stand in for others
            const std::size_t begin = std::max(all.first, offset), end = std::min(all.end(), offset + part.count);
            const position_run held{begin < end ? begin - offset : 0, begin < end ? end - begin : 0};
            visit(part, held, at);
            at = end_of_part(at, held.count * size_of(part));
        });
        return at;
    }

    /// This rank's values for the elements that another one holds.
    std::vector<std::byte> values_for(unsigned rank) const
    {
        std::vector<std::byte> packed(for_each_held(rank, [](const auto&...) {}));
        for_each_held(rank, [&](const accumulated_part& part, const position_run& held, std::size_t at) {
            if (held.count == 0) return;
            std::memcpy(packed.data() + at, own_[part.which]->data + held.first * size_of(part),
                        held.count * size_of(part));
        });
        return packed;
    }

    bool gives(unsigned rank) const { return std::ranges::find(givers_, rank) != givers_.end(); }

    /// Each to each what that one holds, once. In the order of the ranks, which is that of the positions.
    void exchange()
    {
        std::vector<std::vector<std::byte>> out(ranks_), in(ranks_);
        std::vector<outgoing> sent;
        std::vector<incoming> coming;
        const std::size_t bytes = for_each_held(here_, [](const auto&...) {});
        for (unsigned rank = 0; rank < ranks_; ++rank) {
            if (gives(here_)) out[rank] = values_for(rank);
            if (rank == here_) continue;
            if (!out[rank].empty()) sent.push_back({static_cast<int>(rank), out[rank]});
            if (!gives(rank) || bytes == 0) continue;
            in[rank].resize(bytes);
            coming.push_back({static_cast<int>(rank), in[rank]});
        }
        others_.swap_values(sent, coming);
        in[here_] = std::move(out[here_]);
        for (std::vector<std::byte>& given : in) add(given);
    }

    void add(std::vector<std::byte>& given)
    {
        if (given.empty()) return;
        if (total_.empty()) return total_.swap(given);
        for_each_held(here_, [&](const accumulated_part& part, const position_run& held, std::size_t at) {
            what_.cpu.join(part.which, total_.data() + at, given.data() + at, held.count);
        });
    }

    const call& call_;
    const recipe& what_;
    peers& others_;
    const unsigned here_, ranks_;
    const std::vector<unsigned> givers_; ///< ranks that have a share
    std::vector<storage_ref> own_;       ///< what this rank's share changes, for all elements
    std::vector<std::byte> total_;       ///< of all ranks, for the elements that lie here; none if nobody gives any
};

} // namespace

void run_accumulation(engine& e, const call& c, const call_share& share, const run_local& run)
{
    if (has_one_copy(c.site->what.rule))
        throw error(fmt::format("{}: an sk::{} is one copy, and the elements are dealt to {} ranks; use "
                                "accumulators, sk::scatter, or a program of one rank",
                                c.site->what.name, name_of(c.site->what.rule), e.cluster->size()));
    accumulation all(c, share, *e.cluster);
    make_together(e, c, share, run, all);
}

} // namespace skelrt::detail
