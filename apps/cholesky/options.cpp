// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include "apps/shared/command_line.hpp"

#include <algorithm>

namespace cholesky
{
namespace
{

constexpr const char* about =
    "The Cholesky factor of a symmetric positive definite matrix of random numbers, by sk::task on blocks: potrf, "
    "trsm,\n"
    "syrk and gemm of OpenBLAS on cores, of cuBLAS and cuSOLVER on GPUs; the longest way through the tasks goes first.";

/// Enough blocks for all cores and a GPU, and none so small that tasks cost more than their work.
std::size_t block_for(std::size_t size)
{
    constexpr std::size_t along_an_edge = 16, least = 256;
    return std::max(size / along_an_edge, least);
}

void check(const options& o)
{
    apps::blas::check(o);
    apps::blas::check_side("--block", o.block);
}

} // namespace

std::optional<options> read_options(int argc, const char* const* argv)
{
    options o;
    apps::command_line line("cholesky", about, {}, o);
    apps::blas::add_options(line, o, "rows and columns of the matrix");
    line.without_default("--block", o.block, "rows and columns of a block; default: a 16th of --size, at least 256");
    if (!line.parse(argc, argv)) return std::nullopt;
    if (!line.given("--block")) o.block = block_for(o.size);
    check(o);
    return o;
}

} // namespace cholesky
