// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"

#include "apps/shared/options.hpp"

#include <cstddef>
#include <optional>

namespace lbm
{

struct options : apps::common_options {
    flow wind;
    std::size_t steps = 100;
    float reynolds = 150;
};

/// Reads the command line. Throws input_error for what is wrong; returns nothing when all was said (--help).
std::optional<options> read_options(int argc, const char* const* argv);

} // namespace lbm
