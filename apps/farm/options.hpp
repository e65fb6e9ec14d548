// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/options.hpp"

#include <cstddef>
#include <optional>

namespace farm
{

struct options : apps::common_options {
    std::size_t count = 8;  ///< plates, and pictures
    std::size_t size = 400; ///< rows and columns of each
};

/// Reads the command line. Throws input_error for what is wrong; returns nothing when all was said (--help).
std::optional<options> read_options(int argc, const char* const* argv);

} // namespace farm
