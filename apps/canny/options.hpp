// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/options.hpp"
#include "apps/video/kernel.hpp"

#include <array>
#include <cstddef>
#include <optional>

namespace canny
{

struct options : apps::common_options {
    std::filesystem::path input;                 ///< a PNG file; empty: a scene
    std::array<std::size_t, 2> size{1920, 1080}; ///< columns, rows of the scene
    video::thresholds limits;
    std::size_t check_every = 8; ///< steps of hysteresis
};

/// Reads the command line. Throws input_error for what is wrong; returns nothing when all was said (--help).
std::optional<options> read_options(int argc, const char* const* argv);

} // namespace canny
