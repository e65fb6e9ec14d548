// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/blas/options.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace cholesky
{

struct options : apps::blas::matrix_options {
    options() { size = 4096; }
    std::size_t block = 0; ///< rows and columns of one; chosen by the size if it is not given
};

/// Reads the command line. Throws input_error for what is wrong; returns nothing when all was said (--help).
std::optional<options> read_options(int argc, const char* const* argv);

} // namespace cholesky
