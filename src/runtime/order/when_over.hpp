// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/runtime/order/progress.hpp"

#include <functional>
#include <memory>

/// What a device was left with ends unnoticed: its kernels do not call. Who wants to be called names it here, and the
/// workers of GPUs, which poll anyway, look. Thread-safe.
namespace skelrt::detail
{

/// Calls `then` once the work is done, on a GPU's worker: it must not wait. Throws std::bad_alloc.
void call_when_over(std::shared_ptr<const running_work> work, std::function<void()> then);

/// Calls what is to be called by now. Costs next to nothing if nobody waits.
void call_those_over() noexcept;

} // namespace skelrt::detail
