// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "apps/summa/kernel.hpp"

#include <cstddef>
#include <memory>

namespace bench
{

/// Factors and result of the application summa, doubles, row-major.
struct summa_matrices {
    const double *a, *b;
    double* c;
    std::size_t n;
};

/// c = a b by OpenMP tasks, as the application's. To be run on a team of so many threads.
void omp_summa(const summa_matrices& m, const summa::cutting& c, int threads);

/// The same by raw StarPU tasks.
class starpu_summa
{
public:
    virtual ~starpu_summa() = default;
    virtual void run() = 0;
};
std::unique_ptr<starpu_summa> make_starpu_summa(const summa_matrices& m, const summa::cutting& c);

} // namespace bench
