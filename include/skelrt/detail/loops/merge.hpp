// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

/// The CPU side of merges: sequential work on items that lie one after the other.
namespace skelrt::detail
{

/// How many of the first `count` items of the merged runs come from the left one ("merge path"). Runs are what has an
/// index.
template <class Left, class Right, class Before>
std::size_t taken_from_left(const Left& left, std::size_t left_count, const Right& right, std::size_t right_count,
                            std::size_t count, const Before& before)
{
    std::size_t low = count > right_count ? count - right_count : 0, high = std::min(count, left_count);
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (before(right[count - 1 - middle], left[middle])) high = middle;
        else low = middle + 1;
    }
    return low;
}

/// Two runs on their way to one place.
template <class Item, class Before>
struct merge_lane {
    const Item *left, *left_end, *right, *right_end;
    Item* out;

    /// So many steps can be made before a run ends.
    std::size_t sure_steps() const { return static_cast<std::size_t>(std::min(left_end - left, right_end - right)); }
    void step(const Before& before)
    {
        const bool other = before(*right, *left); // no branch: nobody could predict it
        *out++ = other ? *right : *left;
        right += other;
        left += !other;
    }
    void finish(const Before& before)
    {
        while (left != left_end && right != right_end) step(before);
        std::copy(right, right_end, std::copy(left, left_end, out));
    }
};

/// Merges two runs; of items of which neither comes first those of the left one do. A step has to wait for the one
/// before it, so four parts of the result are made side by side. Stays within the runs even where `before` is no order.
/// O(left_count + right_count).
template <class Item, class Before>
void merge_runs(const Item* left, std::size_t left_count, const Item* right, std::size_t right_count, Item* out,
                const Before& before)
{
    using lane = merge_lane<Item, Before>;
    constexpr std::size_t lanes = 4, few = 128; // to look for the parts of less does not pay
    const std::size_t all = left_count + right_count;
    if (all < few) return lane{left, left + left_count, right, right + right_count, out}.finish(before);

    std::array<lane, lanes> made;
    for (std::size_t k = 0, i = 0, first = 0; k < lanes; ++k) {
        const std::size_t end = all * (k + 1) / lanes;
        const std::size_t taken =
            std::clamp(taken_from_left(left, left_count, right, right_count, end, before), i, i + (end - first));
        made[k] = {left + i, left + taken, right + (first - i), right + (end - taken), out + first};
        i = taken;
        first = end;
    }
    auto [a, b, c, d] = made;
    while (std::size_t steps = std::min({a.sure_steps(), b.sure_steps(), c.sure_steps(), d.sure_steps()}))
        for (; steps > 0; --steps) {
            a.step(before);
            b.step(before);
            c.step(before);
            d.step(before);
        }
    for (lane* l : {&a, &b, &c, &d}) l->finish(before);
}

} // namespace skelrt::detail
