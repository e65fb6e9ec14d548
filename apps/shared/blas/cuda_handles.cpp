// SPDX-License-Identifier: BSD-3-Clause
#include "cuda_handles.hpp"

#include <map>
#include <stdexcept>

#include <fmt/format.h>

namespace apps::blas
{
namespace
{

cuda_handles make_handles(void* stream)
{
    const cuda_libraries& l = open_cuda_libraries();
    cuda_handles h;
    check(l.create_blas(&h.blas), "cublasCreate");
    check(l.set_blas_stream(h.blas, stream), "cublasSetStream");
    check(l.create_solver(&h.solver), "cusolverDnCreate");
    check(l.set_solver_stream(h.solver, stream), "cusolverDnSetStream");
    return h;
}

} // namespace

/// A GPU's tasks run on a thread of its own. Handles are never destroyed: the GPU may be gone before.
const cuda_handles& handles_of(skelrt::cuda_stream s)
{
    thread_local std::map<void*, cuda_handles> known;
    const auto found = known.find(s.get());
    return found != known.end() ? found->second : known.emplace(s.get(), make_handles(s.get())).first->second;
}

void check(int status, const char* what)
{
    if (status != 0) throw std::runtime_error(fmt::format("{}: status {}", what, status));
}

} // namespace apps::blas
