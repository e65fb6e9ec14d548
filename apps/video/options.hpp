// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/options.hpp"

#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>

namespace video
{

struct options : apps::common_options {
    std::filesystem::path input;               ///< a folder of PNG files; empty: a scene
    std::filesystem::path output;              ///< a folder; empty: nothing is written
    std::array<std::size_t, 2> size{640, 480}; ///< columns, rows of the scene
    std::size_t frames = 50;                   ///< of the scene
    std::size_t window = 0;                    ///< frames at a time; 0: 4 a core
};

/// Reads the command line. Throws input_error for what is wrong; returns nothing when all was said (--help).
std::optional<options> read_options(int argc, const char* const* argv);

} // namespace video
