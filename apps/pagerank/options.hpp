// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/options.hpp"

#include <cstddef>
#include <optional>

namespace pagerank
{

struct options : apps::common_options {
    std::filesystem::path input; ///< empty: a random graph
    bool both_ways = false;      ///< each edge of the file in both directions
    unsigned scale = 16;         ///< log2 of the vertices of a random graph
    std::size_t degree = 16, iterations = 20, top = 10;
    float damping = 0.85f;
};

/// Reads the command line. Throws input_error for what is wrong; returns nothing when all was said (--help).
std::optional<options> read_options(int argc, const char* const* argv);

} // namespace pagerank
