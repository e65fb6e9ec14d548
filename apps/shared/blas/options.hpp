// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/options.hpp"

#include <cstddef>
#include <string>

namespace apps
{
class command_line;
}

namespace apps::blas
{

/// Of programs on square matrices.
struct matrix_options : common_options {
    std::size_t size = 0;        ///< rows and columns
    std::string type = "double"; ///< double, float
};

inline constexpr std::size_t largest_side = 1 << 17;

/// --size and --type; `of_what`: "rows and columns of the matrix".
void add_options(command_line& line, matrix_options& to, const std::string& of_what);
/// Throws input_error for a size or type that there is not.
void check(const matrix_options& o);
/// The same for a side of something in a matrix.
void check_side(const char* option, std::size_t value, std::size_t least = 1);

} // namespace apps::blas
