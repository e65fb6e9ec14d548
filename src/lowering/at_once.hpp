#pragma once

#include "src/lowering/layout.hpp"

#include <span>

namespace skelrt::detail
{

/// Whether nothing is under way, neither a call, but for so many that the caller knows of, nor a copy of a container, which is StarPU's
/// own task. Caller holds engine::submission.
bool is_idle(const engine& e, long but_for_calls) noexcept;

/// Does the only task of a call, with this data, on all cores, led by the calling thread, as far as StarPU would only pass it on:
/// what it reads is in the host's memory. False, and nothing done: it is not, or another thread leads the cores. The call fails
/// as tasks fail. Caller holds engine::submission, so that nobody else's tasks use the data meanwhile, and has made sure that no
/// host view does.
bool run_at_once(task_group& g, std::span<const handle_use> used) noexcept;

} // namespace skelrt::detail
