// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/runtime.hpp>

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

namespace skelrt::detail
{

/// What calls work on, so far as it tells one kind of work from another: whoever does it, and in whatever order.
struct work_seen {
    std::uint64_t recipes = 0;  ///< a bit for each, or for several
    std::uint64_t elements = 0; ///< of all calls together
    void add(std::uint32_t recipe, std::uint64_t n) noexcept
    {
        constexpr std::uint64_t golden = 0x9e3779b97f4a7c15u;
        recipes |= std::uint64_t{1} << (recipe * golden >> 58);
        elements += n;
    }
    /// The same for about as much work of the same recipes.
    std::uint64_t signature() const noexcept
    {
        return recipes ^ static_cast<std::uint64_t>(std::bit_width(elements)) << 56;
    }
};

/// How the calls of all items of an outermost run go, and what models say of them. Its items' items are of it, too.
/// Thread-safe, but for set_way().
class run_way
{
public:
    /// Of the ways of episodes; 0: the planner's.
    std::size_t way() const noexcept { return way_; }
    /// That it uses.
    device_set kinds() const noexcept { return kinds_; }
    /// Before any item begins.
    void set_way(std::size_t way, device_set kinds) noexcept { way_ = way, kinds_ = kinds; }

    void note_call() noexcept { calls_.fetch_add(1, std::memory_order_relaxed); }
    std::uint64_t calls() const noexcept { return calls_.load(std::memory_order_relaxed); }

    void add(const work_seen& w) noexcept
    {
        recipes_.fetch_or(w.recipes, std::memory_order_relaxed);
        elements_.fetch_add(w.elements, std::memory_order_relaxed);
    }
    work_seen work() const noexcept
    {
        return {recipes_.load(std::memory_order_relaxed), elements_.load(std::memory_order_relaxed)};
    }

    /// What calls keep the runtime's targets busy, and what they would take each of them alone; microseconds.
    struct times {
        std::vector<double> busy_us, single_us;
        std::uint64_t elements = 0; ///< of the calls that models told of: of others they say nothing
    };
    void add_told(std::uint64_t elements)
    {
        const std::lock_guard lock(guard_);
        times_.elements += elements;
    }
    void add(std::size_t target, double busy_us, double single_us)
    {
        const std::lock_guard lock(guard_);
        if (target >= times_.busy_us.size()) times_.busy_us.resize(target + 1), times_.single_us.resize(target + 1);
        times_.busy_us[target] += busy_us;
        times_.single_us[target] += single_us;
    }
    times sums() const
    {
        const std::lock_guard lock(guard_);
        return times_;
    }
    /// What models say of a few calls says nothing of a run whose other calls threads do themselves: these may be so
    /// short that each of them would take a device many times as long.
    bool is_told_of() const
    {
        constexpr double most = 0.9;
        return static_cast<double>(sums().elements) >= most * static_cast<double>(work().elements);
    }

private:
    std::size_t way_ = 0;
    device_set kinds_ = device_set::all();
    std::atomic<std::uint64_t> calls_{0}, recipes_{0}, elements_{0};
    mutable std::mutex guard_; ///< taken last
    times times_;
};

} // namespace skelrt::detail
