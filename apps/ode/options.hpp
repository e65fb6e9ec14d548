// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/options.hpp"

#include <cstddef>
#include <optional>

namespace ode
{

struct options : apps::common_options {
    std::size_t size = 128;
    double end = 4, tolerance = 1e-5;
};

/// Reads the command line. Throws input_error for what is wrong; returns nothing when all was said (--help).
std::optional<options> read_options(int argc, const char* const* argv);

} // namespace ode
