// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/place/handle_union.hpp"
#include "src/lowering/place/layout/layout.hpp"
#include "src/lowering/run/submitted_call.hpp"

#include <span>
#include <vector>

namespace skelrt::detail
{

/// Hears of batches that have ended. Any thread.
class batch_sender
{
public:
    virtual void ended(const target& where) noexcept = 0;

protected:
    ~batch_sender() = default;
};

/// Calls of one task each, on one device, that become one task together: it runs them in their order. What a task costs
/// the submitting thread and the worker, 20 us and more on a GPU, they pay once.
///
/// Lifetime: filled under the order's lock; from its submission on the task's, which ends with after_batch().
class batch
{
public:
    batch(batch_sender& sender, const target& where) : sender_(sender), where_(where) { groups_.reserve(most_at_once); }

    /// The group's references point to handles of its call, and to handles of the batch from now on. The batch has the
    /// hold on the call that is its task's.
    void add(task_group& g, std::span<const handle_use> used, starpu_data_handle_t scratch, double expected_us);

    const std::vector<task_group*>& groups() const noexcept { return groups_; }
    /// As many as a task should have: of handles, each of which costs StarPU a microsecond or two, and of the device's
    /// memory, which must hold all of them at once.
    bool full(std::size_t most_calls) const noexcept;
    const target& where() const noexcept { return where_; }
    batch_sender& sender() const noexcept { return sender_; }

    starpu_task* make_task();

    std::shared_ptr<const running_work> left; ///< CUDA: the kernels of all calls, if the task ended before them
    kernel_span* span = nullptr;              ///< SKELRT_TRACE, CUDA: around all of them

private:
    static constexpr std::size_t most_at_once = 32;
    std::uint32_t use(starpu_data_handle_t handle, starpu_data_access_mode mode);
    void point(task_group& g, std::span<const std::uint32_t> to) const;

    batch_sender& sender_;
    const target& where_;
    std::size_t bytes_ = 0; ///< of the device's memory
    std::vector<task_group*> groups_;
    handle_union data_;
    schedulers::placement_hint hint_;
};

} // namespace skelrt::detail
