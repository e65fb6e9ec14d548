// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/shared/program/options.hpp"

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

} // namespace apps::blas
