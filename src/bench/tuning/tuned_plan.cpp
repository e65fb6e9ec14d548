// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/tuning/tuned_plan.hpp"

#include "src/bench/shared/processes.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <vector>

namespace bench
{

namespace fs = std::filesystem;

fs::path find_tool()
{
    const fs::path here = fs::path(own_program()).parent_path();
    for (const fs::path& p : {here / "skelrt", here / "../tool/skelrt"})
        if (fs::exists(p)) return p;
    return {};
}

std::string find_plan(const tuning_question& q)
{
    const std::string command =
        fmt::format("'{}' tune --budget {} -o '{}' '{}' tuning --device {} --n {} --steps {} --work {} 2>&1",
                    q.tool.string(), q.budget_s, q.plan.string(), own_program(), q.device, q.n, q.steps, q.work);
    std::string before, last; // of the last two lines the first says what the plan is worth
    for (const std::string& line : lines_of(command)) before = last, last = line;
    if (!fs::exists(q.plan)) throw std::runtime_error("skelrt tune failed: " + last);
    while (before.ends_with('\n')) before.pop_back();
    return before;
}

} // namespace bench
