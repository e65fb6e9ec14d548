// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/work.hpp"

#include <cstddef>
#include <vector>

/// Tiles are cut for the runtime system. Where a device has several of them one behind the other, one segment is as
/// good as many, and kernels that take a segment at a time are launched once.
namespace skelrt::detail
{

/// Whether each result is the same however the work is cut: sums are not, for their parts begin with segments, and
/// where tiles lie must not change their bits. Filters have a count for each segment.
bool may_be_joined(skeleton kind) noexcept;

/// Whether segment s + 1 of a work begins where segment s ends, in the call and in the memory of every operand.
bool is_continued(const work& w, std::size_t s);

/// Room for what a work is made of.
struct joined_segments {
    std::vector<segment> segments;
    std::vector<slot_view> slots;
    std::vector<hood_view> hoods;
};

/// The same work in as few segments as its memory allows, if these may be joined; it refers to `room`. Pure.
work join_segments(const work& w, joined_segments& room);

} // namespace skelrt::detail
