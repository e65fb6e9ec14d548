// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/order/submission_order.hpp"

#include <starpu.h>

namespace skelrt::detail
{

void submission_order::unlock() noexcept
{
    mutex_.unlock();
    send_due();
}

void submission_order::send_due() noexcept
{
    for (looks_.fetch_add(1); calls_.due() && mutex_.try_lock(); looks_.fetch_add(1)) {
        if (calls_.due()) calls_.send_due();
        mutex_.unlock();
    }
}

void submission_order::flush() noexcept
{
    calls_.before_wait();
    if (calls_.any()) {
        const std::lock_guard lock(*this);
        calls_.send_own();
    }
    starpu_do_schedule();
}

void submission_order::flush_all() noexcept
{
    calls_.before_wait();
    if (calls_.any()) {
        const std::lock_guard lock(*this);
        calls_.send_all();
    }
    starpu_do_schedule();
}

} // namespace skelrt::detail
