// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/ranks/partings/container_copies.hpp"

#include <skelrt/detail/call.hpp>

#include <optional>
#include <vector>

namespace skelrt::detail
{

/// A call on containers of which some are dealt out otherwise than in blocks, or are results that every rank is to
/// have: the same call on copies in balanced blocks, so that shares need to know of nothing else.
///
/// Lifetime: the call and the transfer outlive it. Thread safety: the program's thread.
class call_in_blocks
{
public:
    /// What the call reads is on its way to the copies then.
    call_in_blocks(const call& c, transfer& messages);
    call_in_blocks(const call_in_blocks&) = delete;
    call_in_blocks& operator=(const call_in_blocks&) = delete;

    const call& get() const noexcept { return call_; }
    /// What the call has written goes where it belongs.
    void bring_results_home() { copies_.bring_home(); }

private:
    void work_on_copy(operand& o, const container_copies::use& how);

    transfer& messages_;
    call call_;
    container_copies copies_;
    std::vector<operand> operands_;
};

/// A map that works element by element on whole containers that are dealt out alike: what a rank does of it where its
/// elements lie, without messages. Where these are no blocks of lines it asks for no position. O(operands), where a
/// call_share is O(ranks * operands). `operands`: room for its own.
std::optional<call> as_it_lies(const call& c, std::vector<operand>& operands);

} // namespace skelrt::detail
