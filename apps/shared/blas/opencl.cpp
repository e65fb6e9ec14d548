// SPDX-License-Identifier: BSD-3-Clause
#include "blas.hpp"

#include <string>
#include <type_traits>

namespace apps::blas::opencl
{
namespace
{

/// PART(a, x): the arguments that stand for a part of elements of type x. AT(a, i, j): one of them. HERE(a): the one
/// that this thread is for, where there is one.
constexpr const char* words = R"(
#define PART(a, x) global x* a, ulong a##_first, ulong a##_rows, ulong a##_cols, ulong a##_ld
#define AT(a, i, j) a[a##_first + (i) * a##_ld + (j)]
#define HERE(a) ulong i = get_global_id(0) / a##_cols, j = get_global_id(0) % a##_cols; if (i >= a##_rows) return
)";

constexpr const char* subtract_product_text = R"(
kernel void subtract_product(PART(a, const real), PART(b, const real), PART(c, real))
{
    HERE(c);
    real sum = 0;
    for (ulong k = 0; k < a_cols; ++k) sum += AT(a, i, k) * AT(b, j, k);
    AT(c, i, j) -= sum;
})";

constexpr const char* product_text = R"(
kernel void product(PART(a, const real), PART(b, const real), PART(c, real), real beta)
{
    HERE(c);
    real sum = 0;
    for (ulong k = 0; k < a_cols; ++k) sum += AT(a, i, k) * AT(b, k, j);
    AT(c, i, j) = beta == 0 ? sum : sum + beta * AT(c, i, j);
})";

constexpr const char* syrk_text = R"(
kernel void syrk(PART(a, const real), PART(c, real))
{
    HERE(c);
    if (j > i) return;
    real sum = 0;
    for (ulong k = 0; k < a_cols; ++k) sum += AT(a, i, k) * AT(a, j, k);
    AT(c, i, j) -= sum;
})";

/// A thread for each row: elements of a row wait for each other.
constexpr const char* trsm_text = R"(
kernel void trsm(PART(l, const real), PART(b, real))
{
    ulong i = get_global_id(0);
    if (i >= b_rows) return;
    for (ulong j = 0; j < b_cols; ++j) {
        real sum = 0;
        for (ulong k = 0; k < j; ++k) sum += AT(b, i, k) * AT(l, j, k);
        AT(b, i, j) = (AT(b, i, j) - sum) / AT(l, j, j);
    }
})";

constexpr const char* potrf_text = R"(
kernel void potrf(PART(a, real), PART(work, real), PART(info, int))
{
    if (get_global_id(0) > 0) return;
    AT(info, 0, 0) = 0;
    for (ulong i = 0; i < a_rows; ++i)
        for (ulong j = 0; j <= i; ++j) {
            real sum = AT(a, i, j);
            for (ulong k = 0; k < j; ++k) sum -= AT(a, i, k) * AT(a, j, k);
            if (j < i) AT(a, i, j) = sum / AT(a, j, j);
            else if (sum > 0) AT(a, i, i) = sqrt(sum);
            else {
                AT(info, 0, 0) = (int)i + 1;
                return;
            }
        }
})";

constexpr const char* copy_text = R"(
kernel void copy(PART(from, const real), PART(to, real))
{
    HERE(to);
    AT(to, i, j) = AT(from, i, j);
})";

template <class T>
opencl_text text_of(const char* function, const char* name)
{
    const bool single = std::is_same_v<T, float>;
    return {std::string(single ? "typedef float real;" : "typedef double real;") + words + function, name};
}

} // namespace

template <class T>
opencl_text subtract_product()
{
    return text_of<T>(subtract_product_text, "subtract_product");
}
template <class T>
opencl_text product()
{
    return text_of<T>(product_text, "product");
}
template <class T>
opencl_text syrk()
{
    return text_of<T>(syrk_text, "syrk");
}
template <class T>
opencl_text trsm()
{
    return text_of<T>(trsm_text, "trsm");
}
template <class T>
opencl_text potrf()
{
    return text_of<T>(potrf_text, "potrf");
}
template <class T>
opencl_text copy()
{
    return text_of<T>(copy_text, "copy");
}

template opencl_text subtract_product<float>();
template opencl_text subtract_product<double>();
template opencl_text product<float>();
template opencl_text product<double>();
template opencl_text syrk<float>();
template opencl_text syrk<double>();
template opencl_text trsm<float>();
template opencl_text trsm<double>();
template opencl_text potrf<float>();
template opencl_text potrf<double>();
template opencl_text copy<float>();
template opencl_text copy<double>();

} // namespace apps::blas::opencl
