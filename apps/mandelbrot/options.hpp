// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "view.hpp"

#include "apps/shared/options.hpp"

#include <array>
#include <cstddef>
#include <optional>

namespace mandelbrot
{

struct options : apps::common_options {
    std::array<std::size_t, 2> size{4096, 3072}; ///< columns, rows
    frame part;
    int iterations = 1024;
    std::size_t shrink = 1; ///< pixels of the result, in each direction, that become one of the PNG file
};

/// Reads the command line. Throws input_error for what is wrong; returns nothing when all was said (--help).
std::optional<options> read_options(int argc, const char* const* argv);

} // namespace mandelbrot
