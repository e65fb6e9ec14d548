// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include "apps/shared/command_line.hpp"
#include "apps/shared/error.hpp"

#include <fmt/format.h>

namespace apps::blas
{

void add_options(command_line& line, matrix_options& to, const std::string& of_what)
{
    line.option("--size", to.size, of_what);
    line.option("--type", to.type, "of the elements: double or float");
}

void check(const matrix_options& o)
{
    check_side("--size", o.size);
    if (o.type != "double" && o.type != "float")
        throw input_error(fmt::format("--type {}: it is one of double, float", o.type));
}

void check_side(const char* option, std::size_t value, std::size_t least)
{
    if (value < least || value > largest_side)
        throw input_error(fmt::format("{} {}: {} to {}", option, value, least, largest_side));
}

} // namespace apps::blas
