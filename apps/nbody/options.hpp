// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/options.hpp"

#include <cstddef>
#include <optional>

namespace nbody
{

struct options : apps::common_options {
    std::size_t bodies = 8192, steps = 10;
    float dt = 0.01f, softening = 0.05f;
};

/// Reads the command line. Throws input_error for what is wrong; returns nothing when all was said (--help).
std::optional<options> read_options(int argc, const char* const* argv);

} // namespace nbody
