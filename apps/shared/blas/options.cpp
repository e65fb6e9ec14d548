// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include "apps/shared/program/command_line.hpp"

namespace apps::blas
{

void add_options(command_line& line, matrix_options& to, const std::string& of_what)
{
    line.range("--size", to.size, 1, largest_side, of_what);
    line.choice("--type", to.type, {"double", "float"}, "of the elements: double or float");
}

} // namespace apps::blas
