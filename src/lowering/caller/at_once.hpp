// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/use_here.hpp"
#include "src/lowering/decide/decision.hpp"
#include "src/lowering/place/layout/layout.hpp"

#include "src/runtime/cores/team.hpp"
#include "src/runtime/memory/small_array.hpp"

#include <optional>
#include <span>

namespace skelrt::detail
{

/// The only task of a call, by the calling thread, as far as StarPU would only pass it on: what it reads is in the
/// host's memory. It leads all cores, or computes on its own alone. User functions run in it, so it runs without the
/// order's lock; nobody else gets at the containers meanwhile.
class at_once_run
{
public:
    /// False, and nothing done: not this one, or another thread leads the cores. Caller holds the order's lock, and has
    /// made sure that no host view is in the way.
    bool prepare(carrier by, task_group& g, std::span<const handle_use> used, const layout& data);
    /// The call fails as tasks fail. Without the lock. Nothing, if nothing was prepared.
    void run() noexcept;

private:
    task_group* group_ = nullptr;
    std::optional<team_lead> lead_;
    std::optional<small_array<void*, few_slots>> buffers_;
    std::optional<use_here> marks_;
};

} // namespace skelrt::detail
