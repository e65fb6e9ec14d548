// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/order/progress.hpp"

#include "src/runtime/order/simulated_wait.hpp"

#include <utility>

namespace skelrt::detail
{

void progress::task_done(std::shared_ptr<const running_work> left) noexcept
{
    if (left) left_ = std::move(left);
    if (tasks_left_.fetch_sub(1) == 1) ring();
}

bool progress::done() const noexcept { return tasks_left_.load() == 0; }

void progress::wait() const noexcept
{
    wait_until([this] { return done(); });
}

} // namespace skelrt::detail
