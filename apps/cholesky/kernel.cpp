// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"

#include "apps/shared/blas/blas.hpp"
#include "apps/shared/dealt_out.hpp"

#include <skelrt/host.hpp>
#include <skelrt/task.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>

namespace cholesky
{
namespace sk = skelrt;
namespace blas = apps::blas;

/// Eigenvalues of such a random matrix are at most 2 sqrt(n / 3) in magnitude, with a little more for small ones.
template <class T>
sk::matrix<T> positive_definite(std::size_t n)
{
    sk::matrix<T> a(n, n, sk::uninitialized);
    const auto to = sk::host_write(a);
    std::mt19937_64 random(1910);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < i; ++j)
            to(i, j) = to(j, i) = static_cast<T>(static_cast<std::int32_t>(random() >> 32)) * T{0x1p-31};
        to(i, i) = static_cast<T>(2 * std::sqrt(static_cast<double>(n)) + 1);
    }
    return a;
}

template <class T>
factorisation<T>::factorisation(std::size_t n, std::size_t block, sk::device_set on)
    : original_(apps::dealt_out(positive_definite<T>(n), block, block)),
      factor_(apps::dealt_out(sk::matrix<T>(n, n), block, block)), from_(original_, block, block),
      to_(factor_, block, block), info_(to_.rows()),
      workspace_(on.has(sk::device::cuda) ? blas::cuda::potrf_workspace<T>(std::min(n, block)) : 1), on_(on)
{
}

template <class T>
void factorisation<T>::load()
{
    static const auto copy =
        blas::kernel_of<T>("cholesky copy", blas::cpu::copy<T>, blas::cuda::copy<T>, blas::opencl::copy<T>());
    for (std::size_t i = 0; i < to_.rows(); ++i)
        for (std::size_t j = 0; j <= i; ++j) sk::task({.on = on_}, copy, sk::in(from_(i, j)), sk::out(to_(i, j)));
    sk::wait(factor_);
}

template <class T>
void factorisation<T>::start()
{
    static const auto potrf =
        blas::kernel_of<T>("cholesky potrf", blas::cpu::potrf<T>, blas::cuda::potrf<T>, blas::opencl::potrf<T>());
    static const auto trsm =
        blas::kernel_of<T>("cholesky trsm", blas::cpu::trsm<T>, blas::cuda::trsm<T>, blas::opencl::trsm<T>());
    static const auto syrk =
        blas::kernel_of<T>("cholesky syrk", blas::cpu::syrk<T>, blas::cuda::syrk<T>, blas::opencl::syrk<T>());
    static const auto gemm = blas::kernel_of<T>("cholesky gemm", blas::cpu::subtract_product<T>,
                                                blas::cuda::subtract_product<T>, blas::opencl::subtract_product<T>());
    const std::size_t n = to_.rows();
    for (std::size_t k = 0; k < n; ++k) {
        const auto l = to_(k, k);
        const double cube = std::pow(static_cast<double>(l.rows()), 3);
        // Of step k on block (i, j): how many tasks the longest way from it to the end has, but for a constant.
        const auto rank = [&](std::size_t i, std::size_t j) { return static_cast<int>(3 * n - i - j - k); };
        sk::task({.priority = rank(k, k), .work = cube / 3, .on = on_}, potrf, sk::inout(l), sk::scratch<T>(workspace_),
                 sk::out(info_[k]));
        for (std::size_t i = k + 1; i < n; ++i)
            sk::task({.priority = rank(i, k), .work = cube, .on = on_}, trsm, sk::in(l), sk::inout(to_(i, k)));
        for (std::size_t i = k + 1; i < n; ++i) {
            for (std::size_t j = k + 1; j < i; ++j)
                sk::task({.priority = rank(i, j), .work = 2 * cube, .on = on_}, gemm, sk::in(to_(i, k)),
                         sk::in(to_(j, k)), sk::inout(to_(i, j)));
            sk::task({.priority = rank(i, i), .work = cube, .on = on_}, syrk, sk::in(to_(i, k)), sk::inout(to_(i, i)));
        }
    }
}

template <class T>
void factorisation<T>::wait() const
{
    sk::wait(factor_);
}

template <class T>
void factorisation<T>::require_positive_definite() const
{
    for (std::size_t k = 0; k < info_.size(); ++k)
        if (info_[k].get() != 0)
            throw sk::error("the matrix is not positive definite: block " + std::to_string(k) + " of its diagonal");
}

template sk::matrix<double> positive_definite(std::size_t);
template class factorisation<float>;
template class factorisation<double>;

} // namespace cholesky
