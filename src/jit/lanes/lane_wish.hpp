// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/jit/lanes/point_table.hpp"
#include "src/runtime/order/progress.hpp"

#include <cstddef>
#include <memory>
#include <span>

/// What is said of a task's kernels when they go into a lane, and what comes of it: see cuda_queue.hpp.
namespace skelrt::detail
{

struct lane_wish {
    std::span<const memory_use> memory; ///< all that the kernels use
    double expected_us = 0;             ///< NaN: unknown
    bool may_leave = true;              ///< false: first lane, and the task ends with its kernels
    bool alone = false;                 ///< nothing else shall run on the device meanwhile
};

struct entered_lane {
    void* stream = nullptr;
    std::size_t lane = 0;
    bool alone = false; ///< so far: nothing was under way in other lanes, or it goes behind that
};

struct left_lane {
    std::shared_ptr<const running_work> kernels; ///< null: the task ends with them
    double busy_us = 0;                          ///< about how long the device has to do with all that it has now
};

} // namespace skelrt::detail
