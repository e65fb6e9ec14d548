// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/tool/doctor/finding.hpp"

#include <string>

/// Findings as people and programs read them. Pure.
namespace skelrt::tool::doctor
{

/// "wrong    cores         text; way out: text", and the end of the line.
std::string line_of(const finding& f);
/// "7 ok, 1 warning, 0 wrong".
std::string sums_of(const findings& all);
std::string as_json(const findings& all);

/// Of the command: 1 if something is wrong. Warnings are not.
int exit_code(const findings& all);

} // namespace skelrt::tool::doctor
