// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/tasks/cholesky_rivals.hpp"

#include "apps/shared/blas/blas.hpp"

#include <algorithm>

namespace bench
{
namespace
{

namespace blas = apps::blas::cpu;
using skelrt::block;

/// Row-major, in blocks; first elements stand for blocks in what tasks depend on.
struct blocked {
    double* a;
    std::size_t n, side;

    std::size_t count() const { return (n + side - 1) / side; }
    double* first(std::size_t i, std::size_t j) const { return a + i * side * n + j * side; }
    std::size_t length(std::size_t i) const { return std::min(side, n - i * side); }
    block<double> at(std::size_t i, std::size_t j) const { return {first(i, j), length(i), length(j), n}; }
};

void submit_potrf(const blocked& m, std::size_t k)
{
    double* const a = m.first(k, k);
#pragma omp task depend(inout : *a)
    {
        int info = 0;
        blas::potrf<double>(m.at(k, k), {}, info);
    }
}

void submit_trsm(const blocked& m, std::size_t i, std::size_t k)
{
    double *const l = m.first(k, k), *const b = m.first(i, k);
#pragma omp task depend(in : *l) depend(inout : *b)
    blas::trsm<double>(m.at(k, k), m.at(i, k));
}

void submit_syrk(const blocked& m, std::size_t i, std::size_t k)
{
    double *const a = m.first(i, k), *const c = m.first(i, i);
#pragma omp task depend(in : *a) depend(inout : *c)
    blas::syrk<double>(m.at(i, k), m.at(i, i));
}

void submit_gemm(const blocked& m, std::size_t i, std::size_t j, std::size_t k)
{
    double *const a = m.first(i, k), *const b = m.first(j, k), *const c = m.first(i, j);
#pragma omp task depend(in : *a, *b) depend(inout : *c)
    blas::subtract_product<double>(m.at(i, k), m.at(j, k), m.at(i, j));
}

} // namespace

void omp_cholesky(double* a, std::size_t n, std::size_t block, int threads)
{
    const blocked m{a, n, block};
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (std::size_t k = 0; k < m.count(); ++k) {
        submit_potrf(m, k);
        for (std::size_t i = k + 1; i < m.count(); ++i) submit_trsm(m, i, k);
        for (std::size_t i = k + 1; i < m.count(); ++i) {
            for (std::size_t j = k + 1; j < i; ++j) submit_gemm(m, i, j, k);
            submit_syrk(m, i, k);
        }
    }
}

} // namespace bench
