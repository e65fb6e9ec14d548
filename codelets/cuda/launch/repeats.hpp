// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

/// Which sequences of launches come again and again. Pure: knows hashes only, is tested as data.
namespace skelrt::detail::cuda
{

/// The least number p such that each launch is the same as the one p before it; 0: none up to half of them.
std::size_t period_of(std::span<const std::uint64_t> launches);

/// The beginnings of known sequences.
class known_sequences
{
public:
    struct step {
        bool known = false;   ///< a known sequence begins like this,
        bool goes_on = false; ///< and one has more launches
        int complete = -1;    ///< the number of the one that ends here
    };
    /// Behind a beginning (0: nothing) another launch.
    static std::uint64_t behind(std::uint64_t beginning, std::uint64_t launch) noexcept
    {
        const std::uint64_t mixed = (beginning ^ launch) * 0x9E3779B97F4A7C15u;
        return mixed ^ mixed >> 32;
    }
    step find(std::uint64_t beginning) const
    {
        const auto at = steps_.find(beginning);
        return at == steps_.end() ? step{} : at->second;
    }
    void add(std::span<const std::uint64_t> launches, int number);
    void clear() { steps_.clear(); }

private:
    std::unordered_map<std::uint64_t, step> steps_;
};

/// Counts how often a sequence was seen, and says when that is often enough to make something of it.
class sighted_sequences
{
public:
    struct part {
        std::size_t first, count;
        friend bool operator==(const part&, const part&) = default;
    };
    /// Parts of a batch that were now seen for the `often`th time. A batch with a period begins anywhere in it: parts
    /// of such ones begin with the period's least launch, so that all batches share them.
    std::vector<part> see(std::span<const std::uint64_t> batch, unsigned often);
    void clear() { times_.clear(); }

private:
    std::unordered_map<std::uint64_t, unsigned> times_;
};

} // namespace skelrt::detail::cuda
