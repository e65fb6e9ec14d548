// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include "apps/shared/command_line.hpp"

#include "apps/shared/sizes.hpp"

#include <string>

namespace matmul
{
namespace
{

constexpr std::size_t largest_side = 1 << 17;

constexpr const char* about = "The product of two matrices of random numbers in single precision, by sk::all_pairs on "
                              "the devices that you choose.";

} // namespace

std::optional<options> read_options(int argc, const char* const* argv)
{
    options o;
    std::string size = "4096";
    apps::command_line line("matmul", about, {}, o);
    line.option("--size", size, "rows and columns of the product, and terms of each sum: M,N,K or one number");
    if (!line.parse(argc, argv)) return std::nullopt;
    o.size = apps::parse_sizes<3>(size, "--size", largest_side);
    return o;
}

} // namespace matmul
