// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace bench
{

/// What `skelrt tune` is asked: to tune a process of this benchmark that makes so many steps of one work.
struct tuning_question {
    std::filesystem::path tool, plan;
    std::string device, work;
    std::size_t n = 0;
    int steps = 1;
    double budget_s = 30;
};

/// The program skelrt beside this one, as it was built or installed; empty: not there.
std::filesystem::path find_tool();

/// Writes the plan. Throws std::runtime_error with what the tool said last if there is none. Returns what it says of
/// the plan's worth.
std::string find_plan(const tuning_question& q);

} // namespace bench
