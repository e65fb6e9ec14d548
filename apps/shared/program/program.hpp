// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>

namespace apps
{

enum exit_code { all_well = 0, failed = 1, wrong_input = 2 };

/// Runs an application's `body` and returns its exit code; errors become a line on the standard error output and a
/// code: wrong_input for an input_error, failed for all others. Of several ranks only the first has a standard output.
int run_program(const std::string& name, const std::function<int()>& body);

} // namespace apps
