// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace skelrt::detail
{

/// Who runs which items: threads claim pieces of a row of items, in order, each item once. Pieces grow until one takes
/// about 50 us, so that tiny items cost little, and shrink towards the end, so that all threads end together. Pure:
/// nobody waits here; any thread may call anything.
class item_claims
{
public:
    struct piece {
        std::size_t begin = 0, end = 0;
        bool empty() const noexcept { return begin == end; }
        std::size_t size() const noexcept { return end - begin; }
    };

    /// Items below `limit` may begin.
    explicit item_claims(std::size_t limit) noexcept : limit_(limit) {}

    bool any_left() const noexcept { return next_.load() < limit_.load(); }
    /// Empty: none may begin now.
    piece claim(unsigned threads) noexcept;
    /// What claim() would give, while nobody else claims.
    piece peek(unsigned threads) const noexcept;
    /// Claims all before `end`, which follow those claimed so far. False: no more begin.
    bool claim_up_to(piece p) noexcept;

    /// Those below `limit` may begin, too.
    void widen(std::size_t limit) noexcept { limit_.store(limit); }
    std::size_t limit() const noexcept { return limit_.load(); }
    /// No more begin. Returns how many have.
    std::size_t close() noexcept;
    bool is_closed() const noexcept { return next_.load() >= closed; }

    /// How long a piece took.
    void learn(piece p, double us) noexcept;
    std::size_t grain() const noexcept { return grain_.load(std::memory_order_relaxed); }

private:
    static constexpr std::size_t closed = std::size_t{1} << 63;

    std::size_t size_of_next(std::size_t left, unsigned threads) const noexcept;

    alignas(64) std::atomic<std::size_t> next_{0};
    alignas(64) std::atomic<std::size_t> limit_;
    std::atomic<std::size_t> grain_{1};
};

} // namespace skelrt::detail
