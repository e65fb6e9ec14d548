// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/parts/arrivals.hpp"

#include "src/runtime/order/simulated_wait.hpp"
#include "src/runtime/simulated.hpp"
#include "src/trace/timeline.hpp"

namespace skelrt::detail
{

void arrivals::ask(std::span<const starpu_data_handle_t> handles, int node, starpu_data_access_mode how)
{
    {
        const std::lock_guard lock(guard_);
        missing_ += handles.size();
    }
    for (const starpu_data_handle_t h : handles) starpu_data_acquire_on_node_cb(h, node, how, &one_arrived, this);
}

void arrivals::one_arrived(void* all) noexcept
{
    auto& a = *static_cast<arrivals*>(all);
    if constexpr (simulated) {
        if (--a.missing_ == 0) ring();
        return;
    }
    const std::lock_guard lock(a.guard_); // notified under the lock: `a` is on the waiter's stack
    if (--a.missing_ == 0) a.done_.notify_one();
}

void arrivals::wait() noexcept
{
    static const std::string name = "wait for parts";
    const traced_time traced(traced::wait, &name);
    if constexpr (simulated) wait_until([&] { return missing_ == 0; });
    std::unique_lock lock(guard_);
    done_.wait(lock, [&] { return missing_ == 0; });
}

} // namespace skelrt::detail
