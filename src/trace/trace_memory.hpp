// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/trace/record.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace skelrt::detail
{

/// Records of all threads in memory of one size. A thread fills a block of its own without a lock; a full one is put
/// away, and when no block is free the oldest of those that are put away is written anew.
///
/// Threads: any; a block is its thread's from take() to give(). Pages are touched only once they are needed.
class trace_memory
{
public:
    static constexpr std::uint32_t records_a_block = 64;

    class block
    {
    public:
        bool is_full() const noexcept { return used_.load(std::memory_order_relaxed) == records_a_block; }
        /// Of one that is not full.
        void add(const trace_record& r) noexcept;
        /// The newest goes on until then, and stands for so many more. Of a block that holds some.
        void extend(std::uint64_t end_ns, std::uint32_t more) noexcept;
        bool is_empty() const noexcept { return used_.load(std::memory_order_relaxed) == 0; }
        const trace_record& newest() const noexcept { return slots_[used_.load(std::memory_order_relaxed) - 1].first; }
        std::uint64_t newest_end_ns() const noexcept;

    private:
        friend trace_memory;
        /// As it was added, and what has come to it since.
        struct slot {
            trace_record first;
            std::atomic<std::uint64_t> end_ns{0};
            std::atomic<std::uint32_t> times{1};
        };
        std::atomic<std::uint32_t> used_{0};
        std::uint32_t thread_ = 0;
        slot slots_[records_a_block];
    };

    struct entry {
        std::uint32_t thread;
        trace_record what;
    };

    /// Throws std::bad_alloc.
    explicit trace_memory(std::size_t bytes);
    ~trace_memory();
    trace_memory(const trace_memory&) = delete;
    trace_memory& operator=(const trace_memory&) = delete;

    /// Null: threads hold all there are.
    block* take(std::uint32_t thread) noexcept;
    void give(block& b) noexcept;
    /// A thread without a block has come to nothing.
    void note_lost() noexcept { lost_.fetch_add(1, std::memory_order_relaxed); }

    /// All that is there, of each thread in its order. Blocks that threads hold are read as they are.
    std::vector<entry> all() const;
    /// Records that had to make room.
    std::uint64_t lost() const noexcept { return lost_.load(std::memory_order_relaxed); }

private:
    void* memory_ = nullptr;
    std::size_t bytes_, blocks_;
    mutable std::mutex guard_; ///< of what follows, and of which block is whose
    std::size_t made_ = 0;     ///< of the memory, from its begin
    std::deque<block*> put_away_;
    std::vector<block*> held_;
    std::atomic<std::uint64_t> lost_{0};
};

} // namespace skelrt::detail
