// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

#include <array>
#include <atomic>

namespace skelrt::schedulers
{

/// Which memory nodes data is on the way to, and so how long a task's data would take. StarPU's own estimate takes
/// every link to be shared by all GPUs, always.
class transfers
{
public:
    /// Whether the task reads something that the node does not have.
    static bool missing(const starpu_task& task, unsigned node);

    /// Data of a task was sent for, or is there.
    void begin(unsigned node) noexcept { under_way_[node].fetch_add(1, std::memory_order_relaxed); }
    void end(unsigned node) noexcept { under_way_[node].fetch_sub(1, std::memory_order_relaxed); }

    /// Microseconds until a worker would have the task's data, were it sent for now.
    double expected_us(const starpu_task& task, int worker) const;

private:
    unsigned users(unsigned from, unsigned to) const;

    std::array<std::atomic<int>, STARPU_MAXNODES> under_way_{};
};

} // namespace skelrt::schedulers
