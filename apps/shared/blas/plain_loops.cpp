// SPDX-License-Identifier: BSD-3-Clause
#include "blas.hpp"

#include <cmath>

/// For programs that are built without OpenBLAS: right, and slow.
namespace apps::blas::cpu
{
namespace
{

/// Of rows i of a and j of b, the first n elements.
template <class T>
T product_of_rows(block<const T> a, std::size_t i, block<const T> b, std::size_t j, std::size_t n)
{
    T sum = 0;
    for (std::size_t k = 0; k < n; ++k) sum += a(i, k) * b(j, k);
    return sum;
}

} // namespace

template <class T>
void subtract_product(block<const T> a, block<const T> b, block<T> c)
{
    for (std::size_t i = 0; i < c.rows(); ++i)
        for (std::size_t j = 0; j < c.cols(); ++j) c(i, j) -= product_of_rows(a, i, b, j, a.cols());
}

template <class T>
void product(block<const T> a, block<const T> b, block<T> c, T beta)
{
    for (std::size_t i = 0; i < c.rows(); ++i) {
        for (std::size_t j = 0; j < c.cols(); ++j) c(i, j) = beta == T{0} ? T{0} : beta * c(i, j);
        for (std::size_t k = 0; k < a.cols(); ++k)
            for (std::size_t j = 0; j < c.cols(); ++j) c(i, j) += a(i, k) * b(k, j);
    }
}

template <class T>
void syrk(block<const T> a, block<T> c)
{
    for (std::size_t i = 0; i < c.rows(); ++i)
        for (std::size_t j = 0; j <= i; ++j) c(i, j) -= product_of_rows(a, i, a, j, a.cols());
}

template <class T>
void trsm(block<const T> l, block<T> b)
{
    for (std::size_t i = 0; i < b.rows(); ++i)
        for (std::size_t j = 0; j < b.cols(); ++j) b(i, j) = (b(i, j) - product_of_rows<T>(b, i, l, j, j)) / l(j, j);
}

template <class T>
void potrf(block<T> a, block<T>, int& info)
{
    for (std::size_t i = 0; i < a.rows(); ++i) {
        for (std::size_t j = 0; j < i; ++j) a(i, j) = (a(i, j) - product_of_rows<T>(a, i, a, j, j)) / a(j, j);
        const T left = a(i, i) - product_of_rows<T>(a, i, a, i, i);
        info = left > 0 ? 0 : static_cast<int>(i) + 1;
        if (!(left > 0)) return;
        a(i, i) = std::sqrt(left);
    }
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
