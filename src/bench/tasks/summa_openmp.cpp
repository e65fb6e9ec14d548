// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/tasks/summa_rivals.hpp"

#include "apps/shared/blas/blas.hpp"

#include <algorithm>

namespace bench
{
namespace
{

namespace blas = apps::blas::cpu;
using skelrt::block;

struct range {
    std::size_t first, length;
};
range part(std::size_t k, std::size_t length, std::size_t n) { return {k * length, std::min(length, n - k * length)}; }

template <class T>
block<T> block_of(T* m, range rows, range cols, std::size_t n)
{
    return {m + rows.first * n + cols.first, rows.length, cols.length, n};
}

/// A task for one step of the sum of one block of the result.
void submit(const summa_matrices& m, range rows, range cols, range terms)
{
    const auto a = block_of(m.a, rows, terms, m.n), b = block_of(m.b, terms, cols, m.n);
    const auto c = block_of(m.c, rows, cols, m.n);
    const double beta = terms.first == 0 ? 0 : 1;
    const double *const left = a.data(), *const right = b.data();
    double* const to = c.data();
#pragma omp task depend(in : *left, *right) depend(inout : *to)
    blas::product<double>(a, b, c, beta);
}

} // namespace

void omp_summa(const summa_matrices& m, const summa::cutting& c, int threads)
{
    const auto count = [&](std::size_t length) { return (m.n + length - 1) / length; };
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (std::size_t i = 0; i < count(c.tile); ++i)
        for (std::size_t j = 0; j < count(c.width); ++j)
            for (std::size_t k = 0; k < count(c.panel); ++k)
                submit(m, part(i, c.tile, m.n), part(j, c.width, m.n), part(k, c.panel, m.n));
}

} // namespace bench
