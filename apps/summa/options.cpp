#include "options.hpp"

#include "apps/shared/error.hpp"

#include <fmt/format.h>

namespace summa
{
namespace
{

constexpr std::size_t largest_side = 1 << 17;

constexpr const char* about =
    "The product of two matrices of random numbers by sk::task on tiles, each a product of OpenBLAS on cores, of "
    "cuBLAS\n"
    "on GPUs. Squares: a task for each tile, or for each panel of its sum; rows: a task for each block of rows.";

void check(const options& o)
{
    if (o.size < 1 || o.size > largest_side)
        throw apps::input_error(fmt::format("--size {}: 1 to {}", o.size, largest_side));
    if (o.tile < 1 || o.tile > largest_side)
        throw apps::input_error(fmt::format("--tile {}: 1 to {}", o.tile, largest_side));
    if (o.panel > largest_side) throw apps::input_error(fmt::format("--panel {}: 0 to {}", o.panel, largest_side));
    if (o.shape != "squares" && o.shape != "rows")
        throw apps::input_error(fmt::format("--shape {}: it is one of squares, rows", o.shape));
    if (o.type != "double" && o.type != "float")
        throw apps::input_error(fmt::format("--type {}: it is one of double, float", o.type));
}

} // namespace

std::optional<options> read_options(int argc, const char* const* argv)
{
    options o;
    apps::command_line line("summa", about, {}, o);
    line.app().add_option("--size", o.size, "rows and columns of the matrices")->default_str(std::to_string(o.size));
    line.app().add_option("--tile", o.tile, "rows of a tile")->default_str(std::to_string(o.tile));
    line.app()
        .add_option("--panel", o.panel, "terms of a sum that a task adds, of squares; 0: all")
        ->default_str(std::to_string(o.panel));
    line.app().add_option("--shape", o.shape, "of the tiles: squares, or blocks of whole rows")->default_str(o.shape);
    line.app().add_option("--type", o.type, "of the elements: double or float")->default_str(o.type);
    if (!line.parse(argc, argv)) return std::nullopt;
    check(o);
    return o;
}

} // namespace summa
