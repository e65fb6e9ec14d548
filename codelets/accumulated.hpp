// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/detail/recipe.hpp>

#include <cstddef>

/// What a call with accumulators changes. A copy has them one behind the other, each from a multiple of 8 bytes on.
namespace skelrt::detail
{

struct accumulated_part {
    unsigned which; ///< number among the call's accumulators
    std::size_t slot;
    std::size_t offset; ///< bytes in front of it in a copy
    std::size_t count;  ///< of elements
};

/// visit(accumulated_part) for each; `count_of(slot)` gives the number of elements. Returns the bytes of a copy.
template <class Count, class Visit>
std::size_t for_each_accumulated(const recipe& r, Count count_of, Visit visit)
{
    accumulated_part part{0, 0, 0, 0};
    std::size_t bytes = 0;
    for (; part.slot < r.slots.size(); ++part.slot) {
        if (r.slots[part.slot].kind != slot_kind::accumulator) continue;
        part.count = count_of(part.slot);
        visit(part);
        bytes = part.offset + part.count * r.slots[part.slot].size;
        part.offset = end_of_part(bytes, 0);
        ++part.which;
    }
    return bytes;
}

/// Bytes of so many copies of each accumulator in fast memory: every part begins on 8 bytes, and a copy has an odd
/// number of values, so that one element's places are in different banks.
template <class Count>
std::size_t bytes_of_near_copies(const recipe& r, Count count_of, std::size_t copies)
{
    std::size_t bytes = 0;
    for_each_accumulated(r, count_of, [&](const accumulated_part& part) {
        bytes = end_of_part(bytes, copies * (part.count | 1) * r.slots[part.slot].size);
    });
    return bytes;
}

/// Values of recipe::result in a copy; `views`: slot views or operands, one a slot.
template <class Views>
std::size_t accumulated_values(const recipe& r, const Views& views)
{
    const std::size_t bytes = for_each_accumulated(
        r, [&](std::size_t slot) { return views[slot].cols; }, [](const accumulated_part&) {});
    return (bytes + r.result_size - 1) / r.result_size;
}

inline std::size_t accumulator_count(const recipe& r) noexcept
{
    std::size_t n = 0;
    for (const slot_type& slot : r.slots) n += slot.kind == slot_kind::accumulator ? 1 : 0;
    return n;
}

} // namespace skelrt::detail
