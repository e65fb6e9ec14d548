// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/options.hpp"

#include <cstddef>
#include <optional>

namespace kmeans
{

struct options : apps::common_options {
    int dimensions = 2;
    std::size_t points = 1'000'000, clusters = 16, iterations = 10;
};

/// Reads the command line. Throws input_error for what is wrong; returns nothing when all was said (--help).
std::optional<options> read_options(int argc, const char* const* argv);

} // namespace kmeans
