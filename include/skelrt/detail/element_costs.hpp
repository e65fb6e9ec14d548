// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace skelrt::detail
{

/// What one element costs on the cores, by the order of size of the call (sizes that share their highest bit): a copy
/// of a model's curve that every call reads without a lock, and the check of what it says. A call of one element says
/// nothing of one of a thousand, so each order has its own.
///
/// Any thread; whoever comes in between another's reading and writing costs one more look at the model.
class element_costs
{
public:
    struct cost {
        float ns = 0;             ///< 0: unknown
        float doubted = untested; ///< what the last timed call took instead; 0: it took as long
        bool known() const noexcept { return ns > 0; }
        bool is_looked_up() const noexcept { return known() || doubted == 0; } ///< 0: the model knows nothing either
        bool is_tested() const noexcept { return known() && doubted != untested; }
        bool sure() const noexcept { return doubted == 0; }
    };
    static constexpr float untested = -1;

    /// `patience`: timed calls in a row that took longer than what is known before it counts as wrong. The first ones
    /// may have been interrupted, had cold caches, or had to wake somebody up.
    constexpr explicit element_costs(unsigned patience) noexcept : patience_(patience) {}

    cost of(std::size_t elements) const noexcept
    {
        return is_forgotten() ? cost{} : by_order_[order_of(elements)].load(std::memory_order_relaxed);
    }
    /// What a model or a trial says; 0: nothing. The next call of that order is to be timed.
    void set(std::size_t elements, double ns) noexcept;

    /// The nearest that is known, for who cannot find out; negative: nothing that tells of so many.
    float near(std::size_t elements) const noexcept;

    /// What a timed call teaches: nothing new; that what is known is right; what is right instead.
    enum class lesson : std::uint8_t { none, confirmed, corrected };
    /// A timed call took `ns` an element. What is known follows slowly, and is corrected by several in a row that took
    /// more than twice as long, or two that took less than half. Other orders are unknown then, for they came from the
    /// same model.
    lesson note(std::size_t elements, double ns) noexcept;

    /// For a call that these costs leave to others: whether it shall try nevertheless, since an estimate that nobody
    /// uses is never put right. The calls since the last tries, as many as may correct it, pay for them: 1 % of
    /// `call_us` each.
    bool is_worth_a_try(double loss_us, double call_us) noexcept;

    /// All that is known anywhere in the process is forgotten.
    static void forget_all() noexcept;

private:
    static constexpr std::size_t orders = 32;
    static std::size_t order_of(std::size_t elements) noexcept
    {
        return std::min<std::size_t>(static_cast<std::size_t>(std::bit_width(elements | 1)) - 1, orders - 1);
    }
    bool is_forgotten() const noexcept
    {
        return generation_.load(std::memory_order_relaxed) != newest_generation_.load(std::memory_order_relaxed);
    }
    void clear() noexcept;

    static std::atomic<unsigned> newest_generation_;
    std::array<std::atomic<cost>, orders> by_order_{};
    std::atomic<unsigned> generation_{0};
    std::atomic<std::uint32_t> passed_over_{0}; ///< calls since the last try
    std::atomic<std::uint32_t> tries_left_{0}, doubts_{0};
    unsigned patience_;
};

/// Fewer elements take no longer than a look at the clock: what they took tells of up to `as_many_more` times as many.
constexpr std::size_t telling_elements = 64, as_many_more = 8;

} // namespace skelrt::detail
