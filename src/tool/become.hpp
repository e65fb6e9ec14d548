// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace skelrt::tool
{

/// In a process that was forked: it becomes the command, which is found as shells find it. If that cannot be, says why,
/// with `prefix` in front, and ends with 127.
[[noreturn]] void become(const std::vector<std::string>& command, const char* prefix = "");

} // namespace skelrt::tool
