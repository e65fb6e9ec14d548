// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/life.hpp"

#include "src/trace/observers.hpp"

namespace skelrt::detail
{

std::atomic<running*> life::current{nullptr}, life::for_visitors{nullptr};
std::atomic<bool> life::ending{false};

void life::leave_to_parent() noexcept
{
    for_visitors.store(nullptr, std::memory_order_relaxed);
    current.store(nullptr, std::memory_order_relaxed);
    ending.store(false, std::memory_order_relaxed);
    observers.store(0, std::memory_order_relaxed); // files and threads that look are the parent's
}

} // namespace skelrt::detail
