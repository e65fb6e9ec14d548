// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"

#include "apps/shared/options.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace quicksort
{

struct options : apps::common_options {
    std::size_t n = 10'000'000;
    std::size_t cutoff = usual_cutoff;
    std::string input = "random"; ///< random, sorted, equal
};

/// Reads the command line. Throws input_error for what is wrong; returns nothing when all was said (--help).
std::optional<options> read_options(int argc, const char* const* argv);

} // namespace quicksort
