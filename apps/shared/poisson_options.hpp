// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/program/options.hpp"
#include "poisson.hpp"

#include <optional>
#include <string>

namespace apps
{

class command_line;

/// Of programs that solve Poisson's equation step by step.
struct poisson_options : common_options {
    std::string problem = "2"; ///< 1, 2, or what else the program knows
    std::size_t size = 1025;
    std::size_t steps = 100;     ///< with `until`: at most
    std::optional<double> until; ///< what ends the iteration
    std::size_t check_every = 50;

    std::size_t inner() const { return size - 2; } ///< points along an edge, without those on the square's
    product exact() const { return poisson_problem(std::stoi(problem), size); }
};

/// --problem, --size, --until, --check-every, and an option for the steps, "steps" or "sweeps", at least so many.
/// `until`: what is looked at.
void add_options(command_line& line, poisson_options& to, const std::string& steps, std::size_t least_steps,
                 const std::string& until);

/// What both problems look like, for --help.
inline constexpr const char* poisson_problems =
    "Problem 1 has the solution (x - x^2)(y - y^2), problem 2 (3 x^3 - x^2 - 2 x)(2 y^3 - y^2 - y).";

} // namespace apps
