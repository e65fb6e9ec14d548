// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/engine.hpp"

#include <skelrt/detail/call.hpp>
#include <skelrt/plan.hpp>

#include <cstddef>
#include <cstdint>

namespace skelrt::detail
{

/// Devices that a call may use: all of these kinds, or of GPUs only the one of this number.
struct device_choice {
    device_set kinds;
    int gpu = every_gpu;
    static constexpr int every_gpu = -1;
    bool has(const target& t) const
    {
        return kinds.has(t.kind) && (t.kind == device::cpu || gpu == every_gpu || gpu == t.number);
    }
    friend bool operator==(const device_choice&, const device_choice&) = default;
};

/// Who says where a call runs.
enum class placed_by : std::uint8_t {
    strategy, ///< nobody: its episode's strategy, and the planner
    kinds,    ///< the user, by sk::only; among these devices the planner
    orders    ///< an execution plan, a policy of StarPU's, or a trial of `skelrt tune`
};

/// What is said of a call before anybody looks at its data or at what was learnt. Found out once a call.
struct request {
    device_choice may_use;              ///< what the user leaves; of a strategy, what that does
    const plan_range* obeyed = nullptr; ///< an execution plan of the user's, or the split of an episode
    std::size_t uses = 1;               ///< so many calls in a row, this one included, work on its data
    placed_by by = placed_by::strategy;
    bool meanwhile = false; ///< the cores do it while kernels are built, which tells nothing of later calls
    bool loses = false;     ///< for want of kernels that are not loaded yet: it is looked at anew each time
    bool free = true; ///< the user said nothing of where it should run; a split that it obeys is then an episode's
};

request request_of(const engine& e, const call& c, std::size_t uses);

} // namespace skelrt::detail
