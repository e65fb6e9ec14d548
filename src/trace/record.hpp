// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string>

/// SKELRT_TRACE: what is written down of each thing that happens, as data of one size.
namespace skelrt::detail
{

enum class traced : std::uint8_t {
    call, ///< made by a thread of the program
    task, ///< part of a call, where it ran
    copy, ///< between two memories
    item, ///< of a farm, a pipeline, a tree
    wait, ///< of a thread for what others do
};

/// Who did a call. Undecided: it came to nothing, or ranks shared it.
enum class done_by : std::uint8_t { undecided, caller, led_cores, own_core, tasks, batch, policy };

/// A device's part of a call, and what the call would have taken there alone.
struct traced_share {
    static constexpr std::uint8_t none = 0xff, others = 0xfe;
    std::uint8_t device = none; ///< number of the target
    std::uint16_t tasks = 0;
    std::uint32_t tiles = 0;
    float alone_us = 0; ///< 0: not asked
};

struct trace_record {
    /// Rows other than the thread's own.
    static constexpr std::int16_t own_thread = -1, team = -2;

    std::uint64_t begin_ns = 0, end_ns = 0;
    const std::string* name = nullptr; ///< lives as long as the process
    std::uint64_t call = 0;            ///< its number; 0: none
    std::uint64_t rows = 0, cols = 0;  ///< of a call; of a task its first and its number of elements; item: its number
    float bytes = 0;
    float planned_us = 0;     ///< 0: nothing was promised
    std::uint32_t number = 0; ///< task: in its call; copy: from which memory
    std::uint32_t parts = 0;  ///< call: its tasks; copy: to which memory
    std::uint32_t steps = 0;
    std::uint32_t before = 0;      ///< call: others that the host has not waited for
    std::uint32_t times = 1;       ///< so many calls in a row, each like this one
    std::int16_t row = own_thread; ///< else a worker of StarPU's, or the team
    traced what = traced::call;
    done_by by = done_by::undecided;
    bool free = true;                     ///< call: the user did not say where
    bool ends_unknown = false;            ///< it began at begin_ns; nobody knows when it ended
    std::array<traced_share, 4> shares{}; ///< of more devices the last one has what is left
};

inline std::uint64_t trace_now_ns() noexcept
{
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

} // namespace skelrt::detail
