// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "grid.hpp"

#include "apps/shared/options.hpp"

#include <array>
#include <filesystem>
#include <optional>

namespace coulomb
{

struct options : apps::common_options {
    std::filesystem::path input;                ///< empty: the water box in the data folder
    std::array<std::size_t, 3> copies{1, 1, 1}; ///< of the periodic box
    extents grid{128, 128, 128};
    std::optional<std::size_t> slice; ///< z index; the middle if there is none
};

/// Reads the command line. Throws input_error for what is wrong; returns nothing when all was said (--help).
std::optional<options> read_options(int argc, const char* const* argv);

} // namespace coulomb
