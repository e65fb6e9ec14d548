// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace test
{

/// Runs the test cases that the command line selects; again with each further call. The number of failures.
/// For programs with a main of their own; without one they get one that only calls this.
int run_cases(int argc, char** argv);

} // namespace test
