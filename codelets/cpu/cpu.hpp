// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/cpu/share_progress.hpp"
#include "codelets/cpu/stencil/row_exchange.hpp"
#include "codelets/cpu/stencil/row_levels.hpp"
#include "codelets/element_memory.hpp"
#include "codelets/work.hpp"

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

/// The CPU implementation of the skeletons: a task's elements in shares, one share a thread at a time. Knows no
/// threads.
namespace skelrt::detail::cpu
{

constexpr std::size_t line_bytes = 64; ///< of the caches

/// Where shares (of skeleton::accumulate: threads) leave their partial results until finish() combines them in order.
/// For maps it holds nothing. The shares of a scan hand on their running values here: a share waits for the one before
/// it.
class partials
{
public:
    partials(const work& w, std::size_t shares);

    std::byte* at(std::size_t share) noexcept
    {
        if (!first_) return lines_[share * lines_each_].bytes;
        return share == 0 ? first_ : lines_[(share - 1) * lines_each_].bytes;
    }
    bool started(std::size_t share) const noexcept { return started_[share]; }
    void start(std::size_t share) noexcept { started_[share] = 1; }

    /// Red-black iterations: what shares tell their neighbours.
    row_exchange* rows() const noexcept { return rows_.get(); }

    /// Wavefronts: how far the shares have come.
    share_progress* bands() const noexcept { return bands_.get(); }

    /// Scans: what the shares gave so far, for the one whose turn it is to hand on.
    row_levels& sums() noexcept { return sums_; }

    /// What a share left behind is complete; wakes the next one.
    void hand_on(std::size_t share) noexcept;
    /// Waits until the share has handed on; false if it never will.
    bool wait_for(std::size_t share) const noexcept;
    /// A share failed: nobody waits any longer.
    void give_up() noexcept;

private:
    struct alignas(element_align) line { ///< threads write next to each other
        std::byte bytes[element_align];
    };
    std::size_t lines_each_ = 0;
    std::byte* first_ = nullptr; ///< of skeleton::accumulate: copies are large, so the first one is where all come to
    std::unique_ptr<line[]> lines_;
    std::unique_ptr<row_exchange> rows_;
    std::unique_ptr<share_progress> bands_;
    row_levels sums_;
    std::vector<unsigned char> started_;    ///< not vector<bool>: shares write at the same time
    std::atomic<std::size_t> handed_on_{0}; ///< shares that have: they do so in order
    std::atomic<bool> given_up_{false};
};

/// The first of n things that belong to a share.
constexpr std::size_t share_begin(std::size_t n, std::size_t share, std::size_t shares) noexcept
{
    const std::size_t rest = n % shares;
    return n / shares * share + (share < rest ? share : rest);
}

/// Elements of all segments.
std::size_t element_count(std::span<const segment> segments) noexcept;

/// How many shares to make of the work where `wanted` would keep all threads busy. Scans and filters want such that
/// stay in a core's cache, because they go over them twice; a filter that keeps others has as many more, which count
/// first. Those of a red-black iteration wait for each other: each needs a thread of its own.
std::size_t share_count(const work& w, std::size_t wanted) noexcept;

/// Of a call whose functions change one copy: the bytes that it begins with, which are there before any share runs.
std::size_t bytes_to_begin_with(const work& w);
/// Some of them.
void begin_with(const work& w, std::size_t first, std::size_t last);

/// Does share number `share` of `shares`: equal numbers of elements (of rows for reductions by row), in order.
/// Different shares may run at the same time, but not on the same partial result, and each thread takes its shares in
/// ascending order: scans and filters wait for those before. Lets the user function's exceptions through.
void run_share(const work& w, partials& p, std::size_t share, std::size_t shares, std::size_t partial);
inline void run_share(const work& w, partials& p, std::size_t share, std::size_t shares)
{
    run_share(w, p, share, shares, share);
}

/// Combines the partial results in order into w.result, when all shares are done. Returns false if there was nothing.
bool finish(const work& w, partials& p, std::size_t shares);

/// Of skeleton::accumulate, where threads have copies: the bytes of one, and some of them as finish() does them all.
std::size_t bytes_of_copy(const work& w);
void finish_some(const work& w, partials& p, std::size_t shares, std::size_t first, std::size_t last);

/// A block's rows to one value each, behind `start` unless that is null. `by_blas`: by OpenBLAS, if that can read what
/// lies so.
void fold_rows(const recipe& what, const cpu_block& all, const void* start, std::byte* out, bool by_blas = false);

/// A block's columns to one value each, behind what `acc` holds if `started`: cpu_functions::fold_columns of some rows
/// at a time, whose values are combined by halves.
void fold_columns(const recipe& what, const cpu_block& all, void* acc, bool started, bool by_blas = false);

/// Runs a stencil's function on some positions, at most so many, which has `results` to itself. Returns how many.
std::size_t probe_stencil(const work& w, std::size_t most, std::byte* results);

} // namespace skelrt::detail::cpu
