// SPDX-License-Identifier: BSD-3-Clause
#include "blas.hpp"

#include <cblas.h>

/// LAPACK's own interface: column-major, all arguments by address.
extern "C"
{
    void spotrf_(const char* half, const int* n, float* a, const int* ld, int* info);
    void dpotrf_(const char* half, const int* n, double* a, const int* ld, int* info);
}

namespace apps::blas::cpu
{
namespace
{

template <class T>
struct functions;
template <>
struct functions<float> {
    static constexpr auto gemm = &cblas_sgemm;
    static constexpr auto syrk = &cblas_ssyrk;
    static constexpr auto trsm = &cblas_strsm;
    static constexpr auto potrf = &spotrf_;
};
template <>
struct functions<double> {
    static constexpr auto gemm = &cblas_dgemm;
    static constexpr auto syrk = &cblas_dsyrk;
    static constexpr auto trsm = &cblas_dtrsm;
    static constexpr auto potrf = &dpotrf_;
};

/// Each task has one core; threads of OpenBLAS's own would compete with the other tasks.
[[maybe_unused]] const bool one_thread = (openblas_set_num_threads(1), true);

int of(std::size_t n) { return static_cast<int>(n); }

template <class T>
void gemm(T alpha, block<const T> a, block<const T> b, CBLAS_TRANSPOSE b_is, T beta, block<T> c)
{
    functions<T>::gemm(CblasRowMajor, CblasNoTrans, b_is, of(c.rows()), of(c.cols()), of(a.cols()), alpha, a.data(),
                       of(a.ld()), b.data(), of(b.ld()), beta, c.data(), of(c.ld()));
}

} // namespace

template <class T>
void subtract_product(block<const T> a, block<const T> b, block<T> c)
{
    gemm<T>(-1, a, b, CblasTrans, 1, c);
}

template <class T>
void product(block<const T> a, block<const T> b, block<T> c, T beta)
{
    gemm<T>(1, a, b, CblasNoTrans, beta, c);
}

template <class T>
void syrk(block<const T> a, block<T> c)
{
    functions<T>::syrk(CblasRowMajor, CblasLower, CblasNoTrans, of(c.rows()), of(a.cols()), T{-1}, a.data(), of(a.ld()),
                       T{1}, c.data(), of(c.ld()));
}

template <class T>
void trsm(block<const T> l, block<T> b)
{
    functions<T>::trsm(CblasRowMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, of(b.rows()), of(b.cols()),
                       T{1}, l.data(), of(l.ld()), b.data(), of(b.ld()));
}

/// The lower half, row-major, is the upper one of the transposed matrix, column-major.
template <class T>
void potrf(block<T> a, block<T>, int& info)
{
    const int n = of(a.rows()), ld = of(a.ld());
    functions<T>::potrf("U", &n, a.data(), &ld, &info);
}

template void subtract_product(block<const float>, block<const float>, block<float>);
template void subtract_product(block<const double>, block<const double>, block<double>);
template void product(block<const float>, block<const float>, block<float>, float);
template void product(block<const double>, block<const double>, block<double>, double);
template void syrk(block<const float>, block<float>);
template void syrk(block<const double>, block<double>);
template void trsm(block<const float>, block<float>);
template void trsm(block<const double>, block<double>);
template void potrf(block<float>, block<float>, int&);
template void potrf(block<double>, block<double>, int&);

} // namespace apps::blas::cpu
