// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/farm/runnable.hpp"
#include "src/runtime/cores/calling_threads.hpp"
#include "src/runtime/cores/compute_right.hpp"
#include "src/runtime/cores/team.hpp"
#include "src/runtime/cores/wake_word.hpp"
#include "src/runtime/running.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace skelrt::detail
{

/// The threads that run items: at most as many compute as there are cores, those that wait for items counted, too. One
/// that falls asleep in a wait of the library's gives its place to another, which is made if none is there; one that
/// goes on after a wait does so at once, even if there are too many then, for others may wait for what it holds: who
/// ends an item then pauses.
///
/// Lifetime: one, never destroyed. It has threads from a runtime's first farm to that runtime's end, which waits for
/// items that run, and cancels the others. Threads: any may call anything.
class item_pool final : public calling_threads
{
public:
    /// That of this runtime. Throws error.
    static item_pool& of(const running& r);
    /// As it is.
    static item_pool& get() noexcept;

    /// Items of it may begin. Again is fine.
    void offer(const std::shared_ptr<runnable>& run) noexcept;
    /// The calling thread computes, or no longer does.
    static void computes() noexcept { compute_right::in_use.fetch_add(1); }
    void pauses() noexcept;

    unsigned cores() const noexcept { return cores_.load(std::memory_order_relaxed); }
    /// SKELRT_SEQUENTIAL=1: items run where they are started.
    bool is_sequential() const noexcept { return sequential_.load(std::memory_order_relaxed); }
    /// SKELRT_PROGRESS.
    bool shows_progress() const noexcept { return shows_progress_.load(std::memory_order_relaxed); }

    bool has_calling_thread() const noexcept override { return runnable::current() != nullptr; }
    bool stop() noexcept override;

private:
    struct by_rank {
        bool operator()(const std::shared_ptr<runnable>& a, const std::shared_ptr<runnable>& b) const noexcept
        {
            return a->rank() < b->rank();
        }
    };
    using lock = std::unique_lock<std::mutex>;

    void begin(const running& r);
    void work() noexcept;
    std::shared_ptr<runnable> next(lock& held, held_core& core);
    std::shared_ptr<runnable> first_that_can_begin();
    bool wait(std::uint32_t seen) noexcept;
    bool others_have_ended() const noexcept;
    void wake_one() noexcept;
    void make_thread() noexcept;
    void let_go_of_ended();

    std::atomic<unsigned> cores_{1};
    std::atomic<bool> sequential_{false}, shows_progress_{false};
    std::atomic<unsigned> offers_{0}; ///< so many were made: who runs items looks at newer ones between two pieces
    std::atomic<std::size_t> open_count_{0};

    wake_word wakes_;  ///< changes when there may be work, or a core, for one more thread
    std::mutex guard_; ///< of what follows
    std::uint64_t runtime_ = 0;
    bool stopping_ = false;
    std::set<std::shared_ptr<runnable>, by_rank> open_;
    std::vector<std::thread> threads_;
    std::vector<std::thread::id> ended_;
    unsigned asleep_ = 0, starting_ = 0;
};

/// The calling thread may compute, as long as this lives; while it sleeps in a wait, others do instead. Nothing, if it is
/// counted already.
class item_thread final : compute_right
{
public:
    /// Of a thread that comes to help.
    explicit item_thread(item_pool& pool) noexcept;
    /// Of a thread of the pool, which counts it.
    item_thread(item_pool& pool, held_core& core) noexcept;
    ~item_thread();
    item_thread(const item_thread&) = delete;
    item_thread& operator=(const item_thread&) = delete;

private:
    void sleeps() noexcept override;
    void goes_on() noexcept override;

    item_pool& pool_;
    held_core* const core_ = nullptr; ///< none: it is the system that says where it runs
    const bool is_ours_;              ///< nobody counted it before
};

/// Runs some of what has not begun; if there is nothing, sleeps without a core until the run has ended, or changes:
/// `seen` is its `changes`, read before the caller looked for what it waits for.
void help_or_sleep(runnable& run, std::uint32_t seen) noexcept;

} // namespace skelrt::detail
