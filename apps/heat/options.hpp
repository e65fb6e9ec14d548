// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "plate.hpp"

#include "apps/shared/options.hpp"

#include <cstddef>
#include <optional>

namespace heat
{

struct options : apps::common_options {
    extents size;
    std::size_t steps = 100;
    double alpha = 0;      ///< time step times conductivity over the square of the distance of points
    std::size_t slice = 0; ///< the plane that is drawn
};

/// Reads the command line. Throws input_error for what is wrong; returns nothing when all was said (--help).
std::optional<options> read_options(int argc, const char* const* argv);

} // namespace heat
