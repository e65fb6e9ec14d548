// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/options.hpp"

#include <cstddef>
#include <optional>

namespace sor
{

struct options : apps::common_options {
    int problem = 2;
    std::size_t size = 1025;
    std::size_t sweeps = 100;    ///< with `until`: at most
    std::optional<double> until; ///< the largest residual, over the largest source, that ends the iteration
    std::size_t check_every = 50;
};

/// Reads the command line. Throws input_error for what is wrong; returns nothing when all was said (--help).
std::optional<options> read_options(int argc, const char* const* argv);

} // namespace sor
