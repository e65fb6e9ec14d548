// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/options.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace convolve
{

struct options : apps::common_options {
    std::vector<std::size_t> sizes{2048, 4096};
    std::vector<int> widths{3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27};
};

/// Reads the command line. Throws input_error for what is wrong; returns nothing when all was said (--help).
std::optional<options> read_options(int argc, const char* const* argv);

} // namespace convolve
