// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/reductions/accumulation.hpp"

#include "src/cluster/faults.hpp"
#include "src/cluster/peers.hpp"
#include "src/cluster/trees.hpp"
#include "src/data/memory/host_storage.hpp"
#include "src/data/parting/held.hpp"
#include "src/data/parting/opened_on_host.hpp"
#include "src/lowering/engine.hpp"
#include "src/lowering/ranks/call_faults.hpp"
#include "src/lowering/ranks/call_share.hpp"

#include "codelets/accumulated.hpp"
#include "codelets/element_memory.hpp"

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

class accumulation
{
public:
    accumulation(const call& c, peers& others)
        : call_(c), what_(c.site->what), others_(others), here_(static_cast<unsigned>(others.rank())),
          ranks_(static_cast<unsigned>(others.size())), whole_bytes_(for_each_part([](const accumulated_part&) {}))
    {
    }

    /// Throws, in front of all, for what deliver() would find wrong on this rank alone.
    void check_places() const
    {
        for_each_part([&](const accumulated_part& part) {
            storage& to = storage_of(part);
            check_foreign_faults(to);
            wait_for(to, {0, to.rows, to.cols, to.cols, 1});
        });
    }

    void run(const call_share& share, const run_local& run)
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
        values_ = element_memory(whole_bytes_);
        for_each_part([&](const accumulated_part& part) {
            const opened_on_host read(*own_[part.which], access::read);
            std::memcpy(values_.data() + part.offset, read.data(), part.count * size_of(part));
        });
    }

    /// What all ranks give for the elements that this one holds. `there`: this one gives something.
    void join(bool there, const std::exception_ptr& mine)
    {
        throw_together(others_, mine);
        const std::byte gives{there};
        const std::vector<std::byte> givers = all_gather(others_, {&gives, 1});
        bool dealt = true;
        for_each_part([&](const accumulated_part& part) { dealt = dealt && storage_of(part).dealt; });
        if (dealt) exchange(givers);
        else reduce(there);
    }

    void deliver() const
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
    std::size_t for_each_part(Visit visit) const
    {
        return for_each_accumulated(
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
            const storage& s = storage_of(part);
            const std::size_t offset = call_.operands[part.slot].offset;
            const position_run all = s.dealt ? s.dealt->block_of(rank) : position_run{0, s.count()};
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
            std::memcpy(packed.data() + at, values_.data() + part.offset + held.first * size_of(part),
                        held.count * size_of(part));
        });
        return packed;
    }

    /// Each to each what that one holds, once. In the order of the ranks, which is that of the positions.
    void exchange(std::span<const std::byte> givers)
    {
        const auto gives = [&](unsigned rank) { return givers[rank] != std::byte{0}; };
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
        for (std::vector<std::byte>& given : in) {
            if (given.empty()) continue;
            if (total_.empty()) total_ = std::move(given);
            else
                for_each_held(here_, [&](const accumulated_part& part, const position_run& held, std::size_t at) {
                    what_.cpu.join(part.which, total_.data() + at, given.data() + at, held.count);
                });
        }
    }

    /// Of containers that every rank has whole: to all, with the bits of rank 0's.
    void reduce(bool there)
    {
        if (!there) values_ = element_memory(whole_bytes_);
        element_memory right(whole_bytes_); // where elements may lie
        const bool any = reduce_to_all(others_, {values_.data(), whole_bytes_}, there,
                                       [&](std::span<std::byte> left, std::span<const std::byte> other) {
                                           std::memcpy(right.data(), other.data(), whole_bytes_);
                                           for_each_part([&](const accumulated_part& part) {
                                               what_.cpu.join(part.which, left.data() + part.offset,
                                                              right.data() + part.offset, part.count);
                                           });
                                       });
        if (any) total_ = values_for(here_);
    }

    const call& call_;
    const recipe& what_;
    peers& others_;
    const unsigned here_, ranks_;
    const std::size_t whole_bytes_;
    std::vector<storage_ref> own_;
    element_memory values_;        ///< of this rank's share, for all elements
    std::vector<std::byte> total_; ///< of all ranks, for the elements that lie here; none if nobody gives any
};

} // namespace

void run_accumulation(engine& e, const call& c, const call_share& share, const run_local& run)
{
    if (has_one_copy(c.site->what.rule))
        throw error(fmt::format("{}: an sk::{} is one copy, and the elements are dealt to {} ranks; use "
                                "accumulators, sk::scatter, or a program of one rank",
                                c.site->what.name, name_of(c.site->what.rule), e.cluster->size()));
    accumulation all(c, *e.cluster);
    std::exception_ptr failed;
    try {
        check_operands(c, !share.empty());
        all.check_places();
        if (!share.empty()) all.run(share, run);
    } catch (...) {
        failed = std::current_exception();
    }
    e.order.flush(); // others may wait for these calls
    all.join(!share.empty(), failed);
    all.deliver();
}

} // namespace skelrt::detail
