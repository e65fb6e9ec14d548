// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/options.hpp"

#include <cstddef>
#include <optional>

namespace osem
{

struct options : apps::common_options {
    int size = 64;
    std::size_t events = 500'000, subsets = 10, iterations = 1;
};

/// Reads the command line. Throws input_error for what is wrong; returns nothing when all was said (--help).
std::optional<options> read_options(int argc, const char* const* argv);

} // namespace osem
