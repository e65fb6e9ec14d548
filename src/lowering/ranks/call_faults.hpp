// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/faults/foreign_faults.hpp"

#include <skelrt/detail/call.hpp>

/// Faults of what a call of several ranks reads, where they do not go with this rank's share of it.
namespace skelrt::detail
{

/// Made before the call is submitted: what it writes it may read, too.
class call_faults
{
public:
    /// `has_share`: then its operands' own faults go with that.
    call_faults(const call& c, bool has_share);
    call_faults(const call_faults&) = delete;
    call_faults& operator=(const call_faults&) = delete;

    /// To what the call writes: who reads it minds them.
    void hand_on() const;

private:
    const call& call_;
    gathered_faults all_;
};

/// For calls whose results all ranks wait for: throws the first, once it is known.
void check_operands(const call& c, bool has_share);

} // namespace skelrt::detail
