// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"

#include "apps/shared/options.hpp"

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>

namespace blur
{

struct options : apps::common_options {
    std::filesystem::path input;                 ///< empty: a test card of `size`
    std::array<std::size_t, 2> size{4096, 3072}; ///< columns, rows
    form how = form::separable;
    double sigma = 3;
    int times = 9;
    bool halves = false;    ///< the PNG file shows the source on its left half
    std::size_t shrink = 1; ///< pixels of the result, in each direction, that become one of the PNG file
};

/// Reads the command line. Throws input_error for what is wrong; returns nothing when all was said (--help).
std::optional<options> read_options(int argc, const char* const* argv);

} // namespace blur
