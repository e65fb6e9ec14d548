// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace skelrt::tool
{

struct tune_request {
    std::vector<std::string> command;
    std::filesystem::path plan = "plan.json"; ///< is written
    double budget_s = 300;
};

/// `skelrt tune`: writes a plan of which every entry makes the whole program quicker; one that changes nothing if none
/// does. Throws error if the program cannot be run, or the plan not be written.
void tune_program(const tune_request& request);

} // namespace skelrt::tool
