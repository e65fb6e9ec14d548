// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/order/when_over.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

namespace skelrt::detail
{

namespace
{

struct awaited {
    std::shared_ptr<const running_work> work;
    std::function<void()> then;
};

struct awaited_list {
    std::atomic<bool> any{false};
    std::mutex guard;
    std::vector<awaited> all;

    /// Those that are over, and no others.
    std::vector<awaited> take_over()
    {
        std::unique_lock lock(guard, std::try_to_lock);
        if (!lock) return {}; // another worker looks
        const auto over = std::ranges::stable_partition(all, [](const awaited& a) { return !a.work->done(); });
        std::vector<awaited> taken(std::make_move_iterator(over.begin()), std::make_move_iterator(over.end()));
        all.erase(over.begin(), over.end());
        any.store(!all.empty(), std::memory_order_relaxed);
        return taken;
    }
};

awaited_list& list()
{
    static auto& it = *new awaited_list; // never destroyed: workers may look late
    return it;
}

} // namespace

void call_when_over(std::shared_ptr<const running_work> work, std::function<void()> then)
{
    const std::lock_guard lock(list().guard);
    list().all.push_back({std::move(work), std::move(then)});
    list().any.store(true, std::memory_order_relaxed);
}

void call_those_over() noexcept
{
    if (!list().any.load(std::memory_order_relaxed)) return;
    for (const awaited& a : list().take_over()) a.then();
}

} // namespace skelrt::detail
