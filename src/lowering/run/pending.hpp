// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/run/batch.hpp"
#include "src/program/program.hpp"
#include "src/runtime/devices.hpp"
#include "src/runtime/order/submission_order.hpp"

#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <vector>

namespace skelrt::detail
{

/// The calls that were planned and not yet given to StarPU: short ones, of each program those for one device. They
/// gather while the device has short calls to do; one that finds it without goes at once.
///
/// Whatever is submitted after them on their data, or waits for it, must send them first: submission_order.hpp. A
/// container knows the last batch whose calls use it; no two batches that wait share one. A batch that finds no such
/// reason is sent when the batches before it on its device have ended.
///
/// Threads: members under the order's lock, unless they say otherwise.
class pending_calls final : public batch_sender
{
public:
    /// At most so many calls a task; 1: none ever waits.
    void start(submission_order& order, const std::vector<target>& targets, std::size_t most_calls);
    bool enabled() const noexcept { return most_calls_ > 1; }

    /// The call's only task, for this target. See batch::add().
    void add(const program& by, const target& where, task_group& g, std::span<const handle_use> used,
             starpu_data_handle_t scratch, double expected_us);
    /// Gives them to StarPU: all; a program's; the batch of this number, if it still waits; those that wait for nothing
    /// any more.
    void send() noexcept;
    void send_of(const program& by) noexcept;
    void send_batch(std::uint64_t number) noexcept;
    void send_due() noexcept;

    /// Whether calls wait for nothing any more. Any thread.
    bool due() const noexcept;
    /// Whether there are any. Any thread.
    bool any() const noexcept { return waiting_count_.load(std::memory_order_acquire) > 0; }
    /// A worker has ended a batch.
    void ended(const target& where) noexcept override;

private:
    struct waiting_batch {
        const program* by;
        std::uint64_t number;
        std::unique_ptr<batch> calls;
        int priority; ///< of the most urgent call
    };
    using iterator = std::vector<waiting_batch>::iterator;
    using counts = std::array<std::atomic<int>, STARPU_NMAXWORKERS>;

    iterator of(const program& by) noexcept;
    waiting_batch& batch_for(const program& by, const target& where);
    void send(iterator one) noexcept;
    bool is_due(int worker) const noexcept;
    static void refuse(const batch& b, int why) noexcept;

    std::size_t most_calls_ = 1;
    submission_order* order_ = nullptr;
    std::vector<int> workers_; ///< that have batches
    std::vector<waiting_batch> waiting_;
    std::uint64_t last_number_ = 0;
    std::atomic<int> waiting_count_{0};
    counts wait_for_{}, under_way_{}; ///< by worker: batches that wait; batches sent and not ended
};

} // namespace skelrt::detail
