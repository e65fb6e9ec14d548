// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/blas/libraries.hpp"

#include "codelets/blas/openblas.hpp"

#include "src/config.hpp"
#if SKELRT_HAVE_CUDA
#include "codelets/blas/cublas.hpp"
#endif
#if SKELRT_HAVE_OPENCL
#include "codelets/blas/clblast.hpp"
#endif

namespace skelrt::detail::blas
{

std::vector<std::pair<std::string, found_library>> find_libraries()
{
    std::vector<std::pair<std::string, found_library>> all;
    all.emplace_back("OpenBLAS", cores::find_library());
#if SKELRT_HAVE_CUDA
    all.emplace_back("cuBLAS", cuda::find_library());
#endif
#if SKELRT_HAVE_OPENCL
    all.emplace_back("CLBlast", opencl::find_library());
#endif
    return all;
}

void release_devices() noexcept
{
#if SKELRT_HAVE_CUDA
    cuda::release();
#endif
#if SKELRT_HAVE_OPENCL
    opencl::release();
#endif
}

} // namespace skelrt::detail::blas
