// SPDX-License-Identifier: BSD-3-Clause
#include "blas.hpp"
#include "cuda_handles.hpp"
#include "cuda_libraries.hpp"

#include <algorithm>
#include <type_traits>

namespace apps::blas::cuda
{
namespace
{

// Row-major blocks are to these libraries the transposed ones, column-major: lower halves are upper ones, a product's
// factors change places.
constexpr int plain = 0, transposed = 1, upper = 1, from_left = 0, any_diagonal = 0;

template <class T>
const cuda_functions<T>& functions()
{
    const cuda_libraries& l = open_cuda_libraries();
    if constexpr (std::is_same_v<T, float>) return l.of_float;
    else return l.of_double;
}

int of(std::size_t n) { return static_cast<int>(n); }

template <class T>
void gemm(cuda_stream s, T alpha, block<const T> a, block<const T> b, int b_is, T beta, block<T> c)
{
    check(functions<T>().gemm(handles_of(s).blas, b_is, plain, of(c.cols()), of(c.rows()), of(a.cols()), &alpha,
                              b.data(), of(b.ld()), a.data(), of(a.ld()), &beta, c.data(), of(c.ld())),
          "cublas gemm");
}

} // namespace

template <class T>
void subtract_product(cuda_stream s, block<const T> a, block<const T> b, block<T> c)
{
    gemm<T>(s, -1, a, b, transposed, 1, c);
}

template <class T>
void product(cuda_stream s, block<const T> a, block<const T> b, block<T> c, T beta)
{
    gemm<T>(s, 1, a, b, plain, beta, c);
}

template <class T>
void syrk(cuda_stream s, block<const T> a, block<T> c)
{
    const T minus = -1, one = 1;
    check(functions<T>().syrk(handles_of(s).blas, upper, transposed, of(c.rows()), of(a.cols()), &minus, a.data(),
                              of(a.ld()), &one, c.data(), of(c.ld())),
          "cublas syrk");
}

template <class T>
void trsm(cuda_stream s, block<const T> l, block<T> b)
{
    const T one = 1;
    check(functions<T>().trsm(handles_of(s).blas, from_left, upper, transposed, any_diagonal, of(b.cols()),
                              of(b.rows()), &one, l.data(), of(l.ld()), b.data(), of(b.ld())),
          "cublas trsm");
}

template <class T>
void potrf(cuda_stream s, block<T> a, block<T> work, const block<int>& info)
{
    check(functions<T>().potrf(handles_of(s).solver, upper, of(a.rows()), a.data(), of(a.ld()), work.data(),
                               of(work.size()), info.data()),
          "cusolver potrf");
}

template <class T>
void copy(cuda_stream s, block<const T> from, block<T> to)
{
    const T one = 1, zero = 0;
    check(functions<T>().geam(handles_of(s).blas, plain, plain, of(to.cols()), of(to.rows()), &one, from.data(),
                              of(from.ld()), &zero, to.data(), of(to.ld()), to.data(), of(to.ld())),
          "cublas geam");
}

template <class T>
std::size_t potrf_workspace(std::size_t n)
{
    int size = 0;
    check(functions<T>().potrf_size(handles_of(cuda_stream(nullptr)).solver, upper, of(n), nullptr, of(n), &size),
          "cusolver potrf_bufferSize");
    return static_cast<std::size_t>(std::max(size, 1));
}

template void subtract_product(cuda_stream, block<const float>, block<const float>, block<float>);
template void subtract_product(cuda_stream, block<const double>, block<const double>, block<double>);
template void product(cuda_stream, block<const float>, block<const float>, block<float>, float);
template void product(cuda_stream, block<const double>, block<const double>, block<double>, double);
template void syrk(cuda_stream, block<const float>, block<float>);
template void syrk(cuda_stream, block<const double>, block<double>);
template void trsm(cuda_stream, block<const float>, block<float>);
template void trsm(cuda_stream, block<const double>, block<double>);
template void potrf(cuda_stream, block<float>, block<float>, const block<int>&);
template void potrf(cuda_stream, block<double>, block<double>, const block<int>&);
template void copy(cuda_stream, block<const float>, block<float>);
template void copy(cuda_stream, block<const double>, block<double>);
template std::size_t potrf_workspace<float>(std::size_t);
template std::size_t potrf_workspace<double>(std::size_t);

} // namespace apps::blas::cuda
