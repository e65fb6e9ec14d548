// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/blas/options.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace summa
{

struct options : apps::blas::matrix_options {
    options() { size = 2048; }
    std::size_t tile = 64;         ///< rows of a tile
    std::size_t panel = 0;         ///< terms of a sum that a task adds; 0: all. Of squares
    std::string shape = "squares"; ///< squares, rows
};

/// Reads the command line. Throws input_error for what is wrong; returns nothing when all was said (--help).
std::optional<options> read_options(int argc, const char* const* argv);

} // namespace summa
