// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include "apps/shared/command_line.hpp"

#include "apps/shared/error.hpp"

#include <fmt/format.h>

namespace summa
{
namespace
{

constexpr const char* about =
    "The product of two matrices of random numbers by sk::task on tiles, each a product of OpenBLAS on cores, of "
    "cuBLAS\n"
    "on GPUs. Squares: a task for each tile, or for each panel of its sum; rows: a task for each block of rows.";

void check(const options& o)
{
    apps::blas::check(o);
    apps::blas::check_side("--tile", o.tile);
    apps::blas::check_side("--panel", o.panel, 0);
    if (o.shape != "squares" && o.shape != "rows")
        throw apps::input_error(fmt::format("--shape {}: it is one of squares, rows", o.shape));
}

} // namespace

std::optional<options> read_options(int argc, const char* const* argv)
{
    options o;
    apps::command_line line("summa", about, {}, o);
    apps::blas::add_options(line, o, "rows and columns of the matrices");
    line.option("--tile", o.tile, "rows of a tile");
    line.option("--panel", o.panel, "terms of a sum that a task adds, of squares; 0: all");
    line.option("--shape", o.shape, "of the tiles: squares, or blocks of whole rows");
    if (!line.parse(argc, argv)) return std::nullopt;
    check(o);
    return o;
}

} // namespace summa
