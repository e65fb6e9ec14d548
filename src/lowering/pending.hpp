#pragma once

#include "src/lowering/batch.hpp"
#include "src/runtime/engine.hpp"

#include <array>
#include <atomic>
#include <memory>
#include <span>

namespace skelrt::detail
{

/// The calls that were planned and not yet given to StarPU: short ones, all for the same device. They gather while the device
/// has short calls to do; one that finds it without goes at once.
///
/// Everything that is submitted after them, waits for their data, or for all tasks, must send them first: flush.hpp. A call that
/// finds no such reason is sent when the calls before it have ended; see submission_lock.
///
/// Threads: members under engine::submission, unless they say otherwise.
class pending_calls
{
public:
    /// At most so many calls a task; 1: none ever waits.
    void start(engine& e, std::size_t most_calls) noexcept;
    bool enabled() const noexcept { return most_calls_ > 1; }

    /// The call's only task, for this target. See batch::add().
    void add(const target& where, task_group& g, std::span<const handle_use> used, starpu_data_handle_t scratch,
             double expected_us);
    /// Gives them to StarPU.
    void send() noexcept;

    /// Whether calls wait for nothing any more. Any thread.
    bool due() const noexcept;
    /// Whether there are any. Any thread.
    bool any() const noexcept { return waits_for_.load(std::memory_order_acquire) != nobody; }
    /// A worker has ended a batch.
    void ended(const target& where) noexcept;

private:
    static constexpr int nobody = -1;
    static void refuse(const batch& b, int why) noexcept;

    std::size_t most_calls_ = 1;
    submission_lock* lock_ = nullptr;
    std::unique_ptr<batch> next_;
    std::atomic<int> waits_for_{nobody};                           ///< worker of next_
    std::array<std::atomic<int>, STARPU_NMAXWORKERS> under_way_{}; ///< batches sent and not ended, by worker
};

} // namespace skelrt::detail
