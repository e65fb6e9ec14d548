// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

/// What is used of cuBLAS and cuSOLVER, as their headers declare it, but with their enumerations as numbers: this is
/// built where there are no such headers.
namespace apps::blas
{

using cuda_handle = void*;

/// What both have for float and double.
template <class T>
struct cuda_functions {
    int (*gemm)(cuda_handle, int, int, int, int, int, const T*, const T*, int, const T*, int, const T*, T*, int);
    int (*syrk)(cuda_handle, int, int, int, int, const T*, const T*, int, const T*, T*, int);
    int (*trsm)(cuda_handle, int, int, int, int, int, int, const T*, const T*, int, T*, int);
    int (*geam)(cuda_handle, int, int, int, int, const T*, const T*, int, const T*, const T*, int, T*, int);
    int (*potrf)(cuda_handle, int, int, T*, int, T*, int, int*);
    int (*potrf_size)(cuda_handle, int, int, T*, int, int*);
};

struct cuda_libraries {
    std::string missing; ///< what could not be opened, and why; empty: all is there
    int (*create_blas)(cuda_handle*);
    int (*set_blas_stream)(cuda_handle, void*);
    int (*create_solver)(cuda_handle*);
    int (*set_solver_stream)(cuda_handle, void*);
    cuda_functions<float> of_float;
    cuda_functions<double> of_double;
};

/// Opened by the first call. Thread safety: any thread.
const cuda_libraries& open_cuda_libraries();

} // namespace apps::blas
