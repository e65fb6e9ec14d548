// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace skelrt::tool
{

/// `skelrt tune`: runs the program with each choice of devices, and writes the plan that its own calls are quickest
/// with. Throws error if it cannot be run.
void tune_program(const std::vector<std::string>& command, const std::filesystem::path& plan_file);

} // namespace skelrt::tool
