#pragma once

#include <atomic>
#include <mutex>

namespace skelrt::detail
{

class pending_calls;

/// Serialises planning and submission: StarPU orders tasks by submission, and several threads may call.
///
/// Calls that were planned may wait to be sent together (pending.hpp), until the last task before them on their device has
/// ended. The worker that ends it only tries the lock, for a worker must never wait for a thread that may wait for tasks. So
/// nobody gives the lock back without looking whether a worker was turned away meanwhile, and then does what that wanted.
/// Nothing is lost between the two, because both count a look first: if the worker counts before the other, what it noted is
/// seen by the other's look; if after, its try comes after the other's unlock.
class submission_lock
{
public:
    explicit submission_lock(pending_calls& waiting) : waiting_(waiting) {}
    void lock() { mutex_.lock(); }
    bool try_lock() { return mutex_.try_lock(); }
    void unlock() noexcept;

    /// Sends what has become due, if nobody has the lock: who has it will look for itself. Never waits.
    void send_due() noexcept;

private:
    std::mutex mutex_;
    std::atomic<unsigned> looks_{0};
    pending_calls& waiting_;
};

} // namespace skelrt::detail
