// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/runtime/cores/wake_word.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

/// Who computes on which core. Cores have numbers, those of the team's members; takers are CPU workers, each on its own
/// core, for tasks of one core, regions of the team, on all that are free when they begin, and threads of the library's
/// that hold any core for long.
namespace skelrt::detail
{

/// Cores by their numbers.
class core_set
{
public:
    static constexpr std::size_t most = 256, in_word = 64;

    void add(int core) noexcept { word(core) |= bit(core); }
    void remove(int core) noexcept { word(core) &= ~bit(core); }
    bool has(int core) const noexcept { return (words_[static_cast<std::size_t>(core) / in_word] & bit(core)) != 0; }
    int count() const noexcept { return count_below(static_cast<int>(most)); }
    /// Those with lower numbers than this.
    int count_below(int core) const noexcept
    {
        int n = 0;
        const auto whole = static_cast<std::size_t>(core) / in_word;
        for (std::size_t w = 0; w < whole; ++w) n += std::popcount(words_[w]);
        return whole < words_.size() ? n + std::popcount(words_[whole] & (bit(core) - 1)) : n;
    }
    bool operator==(const core_set&) const = default;

private:
    friend class core_book;
    friend class core_guests;
    static std::uint64_t bit(int core) noexcept { return std::uint64_t{1} << static_cast<std::size_t>(core) % in_word; }
    std::uint64_t& word(int core) noexcept { return words_[static_cast<std::size_t>(core) / in_word]; }

    std::array<std::uint64_t, most / in_word> words_{};
};

/// Which cores are taken, and which somebody wants who may have one core only: those are for nobody else when they come
/// back, so that regions in a row do not keep tasks out. Pure: nobody waits here. Any thread may call anything; one
/// atomic step for 64 cores.
class core_book
{
public:
    /// All free. Nobody uses it meanwhile.
    void reset(int cores) noexcept;

    /// False: somebody has it, and from now on it is wanted.
    bool take(int core) noexcept;
    void give_back(int core) noexcept;
    /// It is not wanted any more.
    void forget(int core) noexcept;
    bool is_wanted(int core) const noexcept
    {
        return at(core).wanted.load(std::memory_order_relaxed) & core_set::bit(core);
    }

    /// False: somebody has or wants it, and all stays as it is.
    bool try_take(int core) noexcept;
    /// That nobody has or wants; -1: there is none.
    int take_last_free() noexcept;
    /// That nobody has, just now. One relaxed load for 64 cores.
    int count_free() const noexcept;

    /// All that nobody has or wants, but these.
    core_set take_free(const core_set& but = {}) noexcept;
    /// Whether somebody wants one of them.
    bool give_back(const core_set& cores) noexcept;

    bool is_taken(int core) const noexcept { return at(core).taken.load() & core_set::bit(core); }
    const core_set& all() const noexcept { return all_; }

private:
    struct word {
        std::atomic<std::uint64_t> taken{0}, wanted{0};
    };
    word& at(int core) noexcept { return words_[static_cast<std::size_t>(core) / core_set::in_word]; }
    const word& at(int core) const noexcept { return words_[static_cast<std::size_t>(core) / core_set::in_word]; }

    /// Of a word: those that nobody has or wants.
    std::uint64_t free_in(std::size_t k) const noexcept;

    core_set all_;
    std::size_t used_ = 0; ///< words with cores
    std::array<word, core_set::most / core_set::in_word> words_;
};

/// Cores that threads of the program's compute on by themselves now and then. Nobody takes these for them, but who
/// begins something on many cores leaves them out, for it would wait until the system takes turns there. Each has a
/// lease on the core where it is, and renews it while it computes; of several on one core the last one's counts. Pure:
/// times come as arguments. Any thread may call anything.
class core_guests
{
public:
    using ticks = std::chrono::steady_clock::time_point;
    /// What a guest keeps of its lease. One thread's.
    struct lease {
        int core = -1; ///< -1: nowhere
        ticks end{};
    };

    /// Nobody is there. Nobody uses it meanwhile.
    void reset() noexcept;

    /// The guest is on this core, until then; where it was before it is no longer. Writes to a line that others seldom
    /// read, as long as it stays.
    void stay(lease& mine, int core, ticks until) noexcept;
    /// Nobody's lease but its own ends. Cheap where it has none.
    void go(lease& mine) noexcept;

    /// Whether there may be any, or one on that core. One relaxed load for 64 cores.
    bool may_be() const noexcept;
    bool may_be_on(int core) const noexcept { return at(core).load(std::memory_order_relaxed) & core_set::bit(core); }
    bool is_on(int core, ticks now) const noexcept { return may_be_on(core) && end_of(core).load() > now; }
    /// Where they are; leases that have ended are forgotten.
    core_set all(ticks now) noexcept;

private:
    struct alignas(64) last { ///< on a line of its own
        std::atomic<ticks> end{};
    };
    using word = std::atomic<std::uint64_t>;
    bool remains(int core, ticks now) noexcept;
    word& at(int core) noexcept { return there_[static_cast<std::size_t>(core) / core_set::in_word]; }
    const word& at(int core) const noexcept { return there_[static_cast<std::size_t>(core) / core_set::in_word]; }
    std::atomic<ticks>& end_of(int core) noexcept { return last_[static_cast<std::size_t>(core)].end; }
    const std::atomic<ticks>& end_of(int core) const noexcept { return last_[static_cast<std::size_t>(core)].end; }

    alignas(64) std::array<word, core_set::most / core_set::in_word> there_{}; ///< cores with leases, also ended ones
    std::array<last, core_set::most> last_;
};

/// The book, and how CPU workers wait for their core. What names a core is for its worker's thread only; regions may
/// come from any.
class core_use
{
public:
    /// All free. No worker, no region meanwhile.
    void reset(int cores);

    /// The worker's core, until leave(); again is fine. False: others have it, and the worker comes next: it waits in
    /// await().
    bool take(int core) noexcept;
    void leave(int core) noexcept;
    bool waits_for(int core) const noexcept { return takers_[static_cast<std::size_t>(core)].what == taker::wants; }
    /// Asleep, until its core may have come back; some milliseconds at most.
    void await(int core) noexcept;

    bool is_taken(int core) const noexcept { return book_.is_taken(core); }
    const core_set& all() const noexcept { return book_.all(); }
    core_set take_free(const core_set& but = {}) noexcept { return book_.take_free(but); }
    void give_back(const core_set& region) noexcept;

    /// For threads that hold a core and may be asked for it. Any thread.
    bool try_take(int core) noexcept { return book_.try_take(core); }
    int take_last_free() noexcept { return book_.take_last_free(); }
    void give_back(int held) noexcept;
    bool is_wanted(int core) const noexcept { return book_.is_wanted(core); }
    int count_free() const noexcept { return book_.count_free(); }

private:
    struct alignas(64) taker { ///< on a line of its own
        enum : std::uint8_t { nothing, wants, has } what = nothing;
    };
    core_book book_;
    wake_word returned_; ///< changes when somebody gives back what a worker wants
    std::vector<taker> takers_;
};

} // namespace skelrt::detail
