// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/checks/device_trust.hpp"
#include "src/lowering/checks/sample.hpp"
#include "src/lowering/place/views.hpp"
#include "src/lowering/run/submitted_call.hpp"

#include "codelets/element_memory.hpp"
#include "codelets/work.hpp"

#include <cstddef>
#include <vector>

/// A function is checked on devices: before a recipe first runs on a kind of device that is not the host, the device
/// and the host do a small call of it on some of the task's own elements. What the text of a function means to the
/// device's compiler, which finds names by their spelling, can be something else than what the host's compiler made of
/// it.
namespace skelrt::detail
{

/// The calling worker's device, as a check uses it: everything goes in order.
class sampled_device
{
public:
    virtual device kind() const = 0;
    /// Memory for samples; grows, and stays.
    virtual device_pointer memory(std::size_t bytes) = 0;
    virtual std::size_t scratch_bytes(const work& w, std::size_t elements, std::size_t columns) = 0;
    virtual void copy_rows(device_pointer to, device_pointer from, const sample_copy& c) = 0;
    virtual void launch(const work& w) = 0;
    /// Waits.
    virtual void read(void* to, device_pointer from, std::size_t bytes) = 0;

    sampled_device() = default;
    sampled_device(const sampled_device&) = delete;
    sampled_device& operator=(const sampled_device&) = delete;

protected:
    ~sampled_device() = default;
};

/// Whether the device may do the task, after the check, if it has not been made. The first difference is logged, and
/// the recipe never runs there again. Costs one load once the recipe is known; the check itself takes tens of
/// microseconds.
bool may_run_here(const task_group& g, const work& w, sampled_device& on);

/// What a task has to do that its device may not: throws function_error if the call may use nothing else, or
/// SKELRT_CHECK says so; returns if the host is to do it.
void require_other_device(const task_group& g, device kind);

/// A task's data in host memory, for a task that was meant for a device. Tiles that follow each other in the container
/// do so here: codelets of the CPU rely on it.
class host_copies
{
public:
    /// Copies what the current task of StarPU's reads. `read(to, handle number, bytes)` waits.
    template <class Read>
    host_copies(void* buffers[], Read read)
    {
        find(buffers);
        for (std::size_t h = 0; h < all_.size(); ++h)
            if (all_[h].read) read(all_[h].data, h, all_[h].bytes);
    }
    /// Does the group's work on the calling thread.
    void compute(task_group& g);
    /// Copies what was written back. `write(handle number, from, bytes)` waits.
    template <class Write>
    void put_back(Write write)
    {
        for (std::size_t h = 0; h < all_.size(); ++h)
            if (all_[h].written) write(h, all_[h].data, all_[h].bytes);
    }

private:
    struct copy {
        const std::byte* home; ///< where the container has it in host memory, null if nowhere
        std::byte* data;
        std::size_t bytes;
        bool read, written;
    };
    void find(void* buffers[]);
    void place();

    std::vector<copy> all_;
    element_memory memory_;
};

} // namespace skelrt::detail
