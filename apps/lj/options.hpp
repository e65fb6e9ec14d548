// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/options.hpp"

#include <cstddef>
#include <optional>

namespace lj
{

struct options : apps::common_options {
    std::size_t edge = 16, steps = 50; ///< lattice cells of 4 atoms along an edge of the box
    float dt = 0.004f, density = 0.8442f, temperature = 1.44f, cutoff = 2.5f;
};

/// Reads the command line. Throws input_error for what is wrong; returns nothing when all was said (--help).
std::optional<options> read_options(int argc, const char* const* argv);

} // namespace lj
