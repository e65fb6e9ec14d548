// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace skelrt::tool
{

/// Runs the program with SKELRT_CHECK=devices. Returns its exit status; if that is 0, 1 if some function does not
/// compile for some device. Throws error if it cannot be run, or if no runtime of its process came to an end.
int check_program(const std::vector<std::string>& command);

} // namespace skelrt::tool
