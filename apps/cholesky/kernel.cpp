// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"

#include "problem.hpp"

#include "apps/shared/blas/blas.hpp"
#include "apps/shared/dealt_out.hpp"

#include <skelrt/host.hpp>
#include <skelrt/task.hpp>

#include <algorithm>
#include <string>
#include <type_traits>

namespace cholesky
{
namespace
{

namespace sk = skelrt;
namespace blas = apps::blas;

template <class T>
std::string name_of(const char* operation)
{
    return std::string("cholesky ") + operation + (std::is_same_v<T, float> ? " float" : " double");
}

template <class T>
const auto& copy_kernel()
{
    static const sk::kernel k(name_of<T>("copy"), sk::on_cpu(blas::cpu::copy<T>), sk::on_cuda(blas::cuda::copy<T>),
                              sk::on_opencl(blas::opencl::copy<T>()));
    return k;
}

template <class T>
const auto& potrf_kernel()
{
    static const sk::kernel k(name_of<T>("potrf"), sk::on_cpu(blas::cpu::potrf<T>), sk::on_cuda(blas::cuda::potrf<T>),
                              sk::on_opencl(blas::opencl::potrf<T>()));
    return k;
}

template <class T>
const auto& trsm_kernel()
{
    static const sk::kernel k(name_of<T>("trsm"), sk::on_cpu(blas::cpu::trsm<T>), sk::on_cuda(blas::cuda::trsm<T>),
                              sk::on_opencl(blas::opencl::trsm<T>()));
    return k;
}

template <class T>
const auto& syrk_kernel()
{
    static const sk::kernel k(name_of<T>("syrk"), sk::on_cpu(blas::cpu::syrk<T>), sk::on_cuda(blas::cuda::syrk<T>),
                              sk::on_opencl(blas::opencl::syrk<T>()));
    return k;
}

template <class T>
const auto& gemm_kernel()
{
    static const sk::kernel k(name_of<T>("gemm"), sk::on_cpu(blas::cpu::subtract_product<T>),
                              sk::on_cuda(blas::cuda::subtract_product<T>),
                              sk::on_opencl(blas::opencl::subtract_product<T>()));
    return k;
}

template <class T>
sk::matrix<T> whole_matrix(std::size_t n)
{
    sk::matrix<T> a(n, n, sk::uninitialized);
    const auto to = sk::host_write(a);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) to(i, j) = static_cast<T>(element(i, j, n));
    return a;
}

double cube(std::size_t n) { return static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n); }

} // namespace

template <class T>
factorisation<T>::factorisation(std::size_t n, std::size_t block, sk::device_set on)
    : original_(apps::dealt_out(whole_matrix<T>(n), block, block)),
      factor_(apps::dealt_out(sk::matrix<T>(n, n), block, block)), from_(original_, block, block),
      to_(factor_, block, block), info_(to_.rows()),
      workspace_(on.has(sk::device::cuda) ? blas::cuda::potrf_workspace<T>(std::min(n, block)) : 1), on_(on)
{
}

template <class T>
void factorisation<T>::load()
{
    for (std::size_t i = 0; i < to_.rows(); ++i)
        for (std::size_t j = 0; j <= i; ++j)
            sk::task({.on = on_}, copy_kernel<T>(), sk::in(from_(i, j)), sk::out(to_(i, j)));
    sk::wait(factor_);
}

template <class T>
void factorisation<T>::start()
{
    for (std::size_t k = 0; k < to_.rows(); ++k) {
        potrf(k);
        for (std::size_t i = k + 1; i < to_.rows(); ++i) trsm(i, k);
        for (std::size_t i = k + 1; i < to_.rows(); ++i) {
            for (std::size_t j = k + 1; j < i; ++j) gemm(i, j, k);
            syrk(i, k);
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

/// How many tasks the longest way from this one to the end has, but for a constant: of the one that does step k on block
/// (i, j). All kinds of task have this formula: potrf is at i = j = k, trsm at j = k, syrk at i = j.
template <class T>
int factorisation<T>::rank(std::size_t i, std::size_t j, std::size_t k) const
{
    return static_cast<int>(3 * to_.rows() - i - j - k);
}

template <class T>
void factorisation<T>::potrf(std::size_t k)
{
    const auto a = to_(k, k);
    sk::task({.priority = rank(k, k, k), .work = cube(a.rows()) / 3, .on = on_}, potrf_kernel<T>(), sk::inout(a),
             sk::scratch<T>(workspace_), sk::out(info_[k]));
}

template <class T>
void factorisation<T>::trsm(std::size_t i, std::size_t k)
{
    const auto l = to_(k, k), b = to_(i, k);
    sk::task({.priority = rank(i, k, k), .work = cube(l.rows()), .on = on_}, trsm_kernel<T>(), sk::in(l), sk::inout(b));
}

template <class T>
void factorisation<T>::syrk(std::size_t i, std::size_t k)
{
    const auto a = to_(i, k), c = to_(i, i);
    sk::task({.priority = rank(i, i, k), .work = cube(a.rows()), .on = on_}, syrk_kernel<T>(), sk::in(a), sk::inout(c));
}

template <class T>
void factorisation<T>::gemm(std::size_t i, std::size_t j, std::size_t k)
{
    const auto c = to_(i, j);
    sk::task({.priority = rank(i, j, k), .work = 2 * cube(c.cols()), .on = on_}, gemm_kernel<T>(), sk::in(to_(i, k)),
             sk::in(to_(j, k)), sk::inout(c));
}

template class factorisation<float>;
template class factorisation<double>;

} // namespace cholesky
