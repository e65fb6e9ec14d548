// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/runtime/cores/wake_word.hpp"
#include "src/runtime/order/flight_count.hpp"

#include <starpu.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>

namespace skelrt::detail
{

struct storage;
class fault_log;

/// What the floors above know of calls: those that were planned and wait to be sent together, and what waits of the
/// host tell.
class submitted_calls
{
public:
    /// Whether calls wait to be sent. Any thread.
    virtual bool any() const noexcept = 0;
    /// Whether some wait for nothing any more. Any thread.
    virtual bool due() const noexcept = 0;
    /// These four give calls to StarPU, for who holds the order's lock: those that wait for nothing any more; all; the
    /// calling thread's program's; the batch of this number, if it still waits.
    virtual void send_due() noexcept = 0;
    virtual void send_all() noexcept = 0;
    virtual void send_own() noexcept = 0;
    virtual void send_batch(std::uint64_t number) noexcept = 0;
    /// Copies a tile to another of its size, on a device with this memory; `done` is told in the end. For who holds the
    /// order's lock.
    struct tile_copy {
        starpu_data_handle_t to, from;
        unsigned node;
        std::shared_ptr<fault_log> faults; ///< of what is copied to
        std::uint64_t call;                ///< that they are noted with
        void (*done)(void*);
        void* of;
    };
    virtual void copy_tile(const tile_copy& c) = 0;
    /// What must not wait any longer is done, before somebody waits. Without the lock.
    virtual void before_wait() noexcept = 0;
    /// The host has the data of this storage now; null: all that was called is done. What lies between two such waits
    /// is an episode.
    virtual void host_waited(const storage* data) = 0;

protected:
    ~submitted_calls() = default;
};

/// The order of calls: StarPU orders tasks by submission, and several threads may call. Its lock serialises planning
/// and submission.
///
/// Calls may wait to be sent together until the last task before them on their device has ended. The worker that ends
/// it only tries the lock, for a worker must never wait for a thread that may wait for tasks. So nobody gives the lock
/// back without looking whether a worker was turned away meanwhile, and then does what that wanted. Nothing is lost
/// between the two, because both count a look first: if the worker counts before the other, what it noted is seen by
/// the other's look; if after, its try comes after the other's unlock.
class submission_order
{
public:
    explicit submission_order(submitted_calls& calls) : calls_(calls) {}
    void lock() { mutex_.lock(); }
    bool try_lock() { return mutex_.try_lock(); }
    void unlock() noexcept;

    /// Sends what has become due, if nobody has the lock: who has it will look for itself. Never waits.
    void send_due() noexcept;
    /// For a program that waits for calls of its own next: gives StarPU what it called so far, and tells a policy that
    /// collects tasks until somebody waits (graph_test) that they are all there. Cheap when there is nothing. Not for
    /// who holds the lock.
    void flush() noexcept;
    /// The same for all programs' calls.
    void flush_all() noexcept;
    /// Only give, for who holds the lock, before what else goes to StarPU: the program's own calls, and those of the
    /// batch that uses some data; all.
    void flush_locked(std::uint64_t batch) noexcept
    {
        calls_.send_own();
        calls_.send_batch(batch);
    }
    void flush_all_locked() noexcept { calls_.send_all(); }
    /// See submitted_calls. For who holds the lock.
    void copy_tile(const submitted_calls::tile_copy& c) { calls_.copy_tile(c); }
    /// See submitted_calls. Not for who holds the lock.
    void note_wait(const storage* data) { calls_.host_waited(data); }

    /// Number of the last call submitted; written under the lock, read by any thread.
    std::atomic<std::uint64_t> calls_made{0};
    /// Calls submitted and not yet done.
    flight_count calls_in_flight;
    /// Changes whenever a thread of the program's has done with data that it worked on itself (src/data/use_here.hpp).
    alignas(64) wake_word uses_ended;

    /// The lock, at a moment when in_use() is false: which says whether a thread of the program works on data that the
    /// caller wants.
    template <class InUse>
    std::unique_lock<submission_order> lock_when_unused(InUse in_use)
    {
        constexpr std::chrono::microseconds awake{50}; // most work that a thread does itself is shorter
        std::unique_lock lock(*this);
        for (;;) {
            const std::uint32_t seen = uses_ended.load(); // first this, then the marks: they change in the other order
            if (!in_use()) return lock;
            lock.unlock();
            uses_ended.wait_while(seen, awake, [] { return false; });
            lock.lock();
        }
    }

private:
    std::mutex mutex_;
    std::atomic<unsigned> looks_{0};
    submitted_calls& calls_;
};

} // namespace skelrt::detail
