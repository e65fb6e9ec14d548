// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/options.hpp"

#include <cstddef>
#include <optional>

namespace jacobi
{

struct options : apps::common_options {
    int problem = 0; ///< 1, 2; 0: both
    std::size_t size = 4001;
    std::size_t steps = 50;      ///< with `until`: at most
    std::optional<double> until; ///< the largest change of a step that ends the iteration
    std::size_t check_every = 100;
};

/// Reads the command line. Throws input_error for what is wrong; returns nothing when all was said (--help).
std::optional<options> read_options(int argc, const char* const* argv);

} // namespace jacobi
