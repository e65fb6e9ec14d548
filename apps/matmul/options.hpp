// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/options.hpp"

#include <array>
#include <cstddef>
#include <optional>

namespace matmul
{

struct options : apps::common_options {
    std::array<std::size_t, 3> size{4096, 4096, 4096}; ///< rows of a, columns of b, columns of a
};

/// Reads the command line. Throws input_error for what is wrong; returns nothing when all was said (--help).
std::optional<options> read_options(int argc, const char* const* argv);

} // namespace matmul
