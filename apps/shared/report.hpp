// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "options.hpp"
#include "table.hpp"

#include <functional>
#include <string>

namespace apps
{

/// A program's result, and how it is told.
struct outcome {
    std::string name; ///< of the application: what its figure begins with
    problem_rows problem;
    check_words words;
    double reference_seconds = 0; ///< what plain loops on one core took for the work of one run; 0: not measured
};

/// The table, and what the check found.
void tell_outcome(const common_options& o, const outcome& all);

/// The end of a program that has one problem: the table, what the check found, the CSV file, and the figure
/// NAME_hybrid_vs_gpu. Gives the exit code.
int report(const common_options& o, const outcome& all);

/// The seconds that `run` takes.
double seconds_of(const std::function<void()>& run);

} // namespace apps
