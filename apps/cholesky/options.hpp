#pragma once

#include "apps/shared/options.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace cholesky
{

struct options : apps::common_options {
    std::size_t size = 4096;     ///< rows and columns
    std::size_t block = 256;     ///< of a block
    std::string type = "double"; ///< double, float
};

/// Reads the command line. Throws input_error for what is wrong; returns nothing when all was said (--help).
std::optional<options> read_options(int argc, const char* const* argv);

} // namespace cholesky
