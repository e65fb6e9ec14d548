// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/element_memory.hpp"
#include "codelets/work.hpp"

#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

namespace skelrt::detail::cpu
{

/// Rows of running values, combined by halves in the order in which they come: row k holds what 2^k of them give.
class row_levels
{
public:
    row_levels(const recipe& what, std::size_t values) : what_(what), values_(values) {}

    /// `fold` puts a row's values where it is told.
    template <class Fold>
    void add(Fold fold)
    {
        std::size_t k = 0;
        for (std::size_t full = count_; full & 1; full >>= 1) ++k;
        if (rows_.size() <= k) rows_.emplace_back(bytes());
        if (k == 0) {
            fold(rows_[0].data());
        } else {
            if (!other_.data()) other_ = element_memory(bytes());
            fold(other_.data());
            for (std::size_t j = 0; j < k; ++j) {
                what_.cpu.combine(rows_[j].data(), other_.data(), values_);
                std::swap(rows_[j], other_);
            }
            std::swap(rows_[k], other_);
        }
        ++count_;
    }
    /// All together, behind what is there if `started`. Nothing happens where there is no row.
    void put(void* acc, bool started)
    {
        if (count_ == 0) return;
        const std::byte* all = nullptr;
        for (std::size_t k = 0; k < rows_.size(); ++k) {
            if (!(count_ >> k & 1)) continue;
            if (!all) {
                all = rows_[k].data();
                continue;
            }
            if (!other_.data()) other_ = element_memory(bytes());
            std::memcpy(other_.data(), rows_[k].data(), bytes());
            what_.cpu.combine(other_.data(), all, values_);
            std::swap(total_, other_);
            all = total_.data();
        }
        if (started) what_.cpu.combine(acc, all, values_);
        else std::memcpy(acc, all, bytes());
    }

private:
    std::size_t bytes() const noexcept { return values_ * what_.result_size; }

    const recipe& what_;
    std::size_t values_, count_ = 0;
    std::vector<element_memory> rows_;
    element_memory other_, total_;
};

} // namespace skelrt::detail::cpu
