// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/element_memory.hpp"
#include "codelets/work.hpp"

#include <cstddef>
#include <cstring>
#include <vector>

namespace skelrt::detail::cpu
{

/// Results of groups of panels, added up as scan_state does it, in order: level k holds what less than `fan` times
/// fan^k groups give. Most products are one group, and need no memory here. Of one thread.
class pair_levels
{
public:
    /// Panels of a group, groups that the next level takes together: chains of sums that are no longer than those of
    /// elements.
    static constexpr std::size_t fan = 32;

    /// Results of rows x cols elements, `ld` apart.
    struct tile {
        void* data;
        std::size_t rows, cols, ld;
    };

    explicit pair_levels(const recipe& what) : what_(what) {}

    /// What the next group gives; there are others behind it.
    void add(const tile& group)
    {
        std::size_t level = 0, units = groups_++;
        tile total = group;
        for (; units % fan == fan - 1; units /= fan) total = behind(level++, total);
        if (units % fan > 0) behind(level, total);
        else keep(level, total);
    }

    /// The last group becomes the sum of all.
    void put_in_front_of(const tile& last)
    {
        if (groups_ == 0) return;
        tile total = last;
        std::size_t level = 0;
        for (std::size_t units = groups_; units > 0; units /= fan, ++level)
            if (units % fan > 0) total = behind(level, total);
        for (std::size_t r = 0; r < last.rows; ++r) std::memcpy(row(last, r), row(total, r), bytes(last));
    }

private:
    std::byte* row(const tile& t, std::size_t r) const
    {
        return static_cast<std::byte*>(t.data) + r * t.ld * what_.result_size;
    }
    std::size_t bytes(const tile& t) const { return t.cols * what_.result_size; }
    tile at(std::size_t level, const tile& like) { return {memory_[level].data(), like.rows, like.cols, like.cols}; }

    /// level = level op with; the level.
    tile behind(std::size_t level, const tile& with)
    {
        const tile to = at(level, with);
        for (std::size_t r = 0; r < with.rows; ++r) what_.cpu.combine(row(to, r), row(with, r), with.cols);
        return to;
    }
    void keep(std::size_t level, const tile& from)
    {
        if (memory_.size() == level) memory_.emplace_back(from.rows * bytes(from));
        const tile to = at(level, from);
        for (std::size_t r = 0; r < from.rows; ++r) std::memcpy(row(to, r), row(from, r), bytes(from));
    }

    const recipe& what_;
    std::size_t groups_ = 0;
    std::vector<element_memory> memory_;
};

} // namespace skelrt::detail::cpu
