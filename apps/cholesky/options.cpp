#include "options.hpp"

#include "apps/shared/error.hpp"

#include <fmt/format.h>

namespace cholesky
{
namespace
{

constexpr std::size_t largest_side = 1 << 17;

constexpr const char* about =
    "The Cholesky factor of a symmetric positive definite matrix of random numbers, by sk::task on blocks: potrf, "
    "trsm,\n"
    "syrk and gemm of OpenBLAS on cores, of cuBLAS and cuSOLVER on GPUs; the longest way through the tasks goes first.";

void check(const options& o)
{
    if (o.size < 1 || o.size > largest_side)
        throw apps::input_error(fmt::format("--size {}: 1 to {}", o.size, largest_side));
    if (o.block < 1 || o.block > largest_side)
        throw apps::input_error(fmt::format("--block {}: 1 to {}", o.block, largest_side));
    if (o.type != "double" && o.type != "float")
        throw apps::input_error(fmt::format("--type {}: it is one of double, float", o.type));
}

} // namespace

std::optional<options> read_options(int argc, const char* const* argv)
{
    options o;
    apps::command_line line("cholesky", about, {}, o);
    line.app().add_option("--size", o.size, "rows and columns of the matrix")->default_str(std::to_string(o.size));
    line.app().add_option("--block", o.block, "rows and columns of a block")->default_str(std::to_string(o.block));
    line.app().add_option("--type", o.type, "of the elements: double or float")->default_str(o.type);
    if (!line.parse(argc, argv)) return std::nullopt;
    check(o);
    return o;
}

} // namespace cholesky
