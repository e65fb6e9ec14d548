// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/ranks/needs/exchange.hpp"
#include "src/lowering/ranks/needs/needs.hpp"
#include "src/lowering/ranks/needs/passage.hpp"

#include <skelrt/detail/call.hpp>

#include <vector>

namespace skelrt::detail
{

/// What other ranks hold of what the share needs of an operand, and what they need.
struct operand_passage {
    std::size_t slot;
    operand_need need; ///< of this rank's share
    passage messages;
    std::vector<copied_region> of_ranks{}; ///< what each rank's share needs, of what is read whole: see known_copies
    bool is_here = false;                  ///< an earlier call has brought it
    /// Whether the operand cannot be used where it lies.
    bool needs_stand_in() const noexcept { return is_here || !messages.in.empty(); }
};

/// The same of the lines around the share, which a stencil's hoods reach.
struct lines_exchange {
    std::size_t slot;
    exchange messages;
};

/// Whether ranks can share a stencil on a part of a grid: who holds lines of the result holds the same lines of all
/// that its hoods look around in.
bool part_lies_alike(const call& c, unsigned ranks);

/// What one rank does of a call: the same call on what it holds, with positions of the whole. The guide says who does
/// which lines: the result's container, whose owners compute; without one, the first operand that moves with the lines;
/// without any, as a new container would be dealt out. All ranks come to the same answer, for all ranks.
///
/// Lifetime: the call that it was made of, and its operands, outlive it.
class call_share
{
public:
    /// Throws error, on all ranks alike, for what cannot be done yet.
    call_share(const call& c, unsigned rank, unsigned ranks);
    call_share(const call_share&) = delete;
    call_share& operator=(const call_share&) = delete;

    bool empty() const noexcept { return lines_.count == 0; }
    const position_run& lines() const noexcept { return lines_; }
    /// Whether this rank's lines are the first that there are.
    bool is_first() const noexcept { return first_; }

    /// Ranks that have lines, in their order. O(ranks).
    std::vector<unsigned> sharers() const;

    /// Messages, of the operands in the order of their slots.
    const std::vector<operand_passage>& passages() const noexcept { return passages_; }
    const std::vector<lines_exchange>& exchanges() const noexcept { return exchanges_; }
    /// What the share needs of an operand lies here.
    void use_stand_in(const operand_passage& x, storage& there);
    /// Without others' lines and with the whole's numbers, lines are what they were.
    bool needs_foreign(const lines_exchange& x) const noexcept
    {
        return !x.messages.in.empty() || lines_.first > 0 || whole_.part.given();
    }
    /// What foreign_lines number from 0 on.
    position_run numbered_lines() const noexcept;
    void use_foreign(const foreign_lines& lines) noexcept { mine_.foreign = &lines; }
    /// For the lines of this rank; its operands are local, once stand-ins are there.
    const call& mine() const noexcept { return mine_; }

private:
    void find_exchanges(const line_operand& guide, unsigned rank, unsigned ranks);
    void add_passage(std::size_t slot, const line_operand& guide, unsigned rank);
    void add_exchange_around(std::size_t slot, const line_operand& guide, unsigned rank);
    void take_lines();

    const call& whole_;
    line_operand guide_;
    unsigned ranks_;
    call mine_;
    std::vector<operand> operands_;
    position_run lines_;
    bool first_ = false;
    std::vector<operand_passage> passages_;
    std::vector<lines_exchange> exchanges_;
};

} // namespace skelrt::detail
