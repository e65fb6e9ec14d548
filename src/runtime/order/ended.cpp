// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/order/ended.hpp"

#include <atomic>
#include <utility>

namespace skelrt::detail
{

namespace
{

std::atomic<ended_link*> head{nullptr};

} // namespace

void add_ended(ended_link& newest, ended_link& oldest) noexcept
{
    ended_link* first = head.load(std::memory_order_relaxed);
    do oldest.next = first;
    while (!head.compare_exchange_weak(first, &newest, std::memory_order_release, std::memory_order_relaxed));
}

void let_ended_go() noexcept
{
    if (!head.load(std::memory_order_relaxed)) return;
    ended_link* all = head.exchange(nullptr, std::memory_order_acquire);
    while (all) {
        const ended_link& one = *std::exchange(all, all->next);
        one.let_go(one.object);
    }
}

} // namespace skelrt::detail
