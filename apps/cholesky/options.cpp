#include "options.hpp"

namespace cholesky
{
namespace
{

constexpr const char* about =
    "The Cholesky factor of a symmetric positive definite matrix of random numbers, by sk::task on blocks: potrf, "
    "trsm,\n"
    "syrk and gemm of OpenBLAS on cores, of cuBLAS and cuSOLVER on GPUs; the longest way through the tasks goes first.";

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
    line.app().add_option("--block", o.block, "rows and columns of a block")->default_str(std::to_string(o.block));
    if (!line.parse(argc, argv)) return std::nullopt;
    check(o);
    return o;
}

} // namespace cholesky
