// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

/// What others do with the matrix of the application cholesky, doubles.
namespace bench
{

/// a = L, lower and row-major, by OpenMP tasks that depend on blocks, with the same functions of BLAS. To be run on a
/// team of so many threads.
void omp_cholesky(double* a, std::size_t n, std::size_t block, int threads);

/// cuSOLVER, on data in the GPU's memory.
class cusolver_cholesky
{
public:
    virtual ~cusolver_cholesky() = default;
    /// Seconds from the call to the end; of the better triangle, as the library sees it.
    virtual double seconds() = 0;
};
/// `a`: the matrix. Null where the program was built without CUDA, or the library cannot be opened.
std::unique_ptr<cusolver_cholesky> make_cusolver_cholesky(const double* a, std::size_t n);

} // namespace bench
