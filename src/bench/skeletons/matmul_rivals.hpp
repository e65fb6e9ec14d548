// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

namespace bench
{

/// Elements of the two factors: small whole numbers, so that every product is exact in a float, whatever the order.
constexpr int left_value(std::size_t i) { return static_cast<int>(i % 5) - 2; }
constexpr int right_value(std::size_t i) { return static_cast<int>(i % 7) - 3; }

template <class Side>
concept complex_number = requires(Side v)
{
    v.imag();
};

/// An element; complex ones are made of both values, others of the first.
template <class Side>
Side element_of(int value, int imaginary)
{
    if constexpr (complex_number<Side>) {
        using real = typename Side::value_type;
        return {static_cast<real>(value), static_cast<real>(imaginary)};
    } else {
        return static_cast<Side>(value);
    }
}
template <class Side>
Side left_element(std::size_t i)
{
    return element_of<Side>(left_value(i), right_value(i + 1));
}
template <class Side>
Side right_element(std::size_t i)
{
    return element_of<Side>(right_value(i), left_value(i + 2));
}

/// What a product of such elements is made of: floats, of halves and bfloat16s.
template <class Side>
using product_of = decltype(std::declval<Side>() * std::declval<Side>());

/// What is computed: so many products of n x n matrices, each into a third one, anew or added to what it holds.
enum class product_goes : std::uint8_t { anew, on_top };
struct matmul_size {
    std::size_t n, planes = 1;
    product_goes goes = product_goes::anew;

    std::size_t elements() const { return planes * n * n; }
};

/// Somebody who multiplies matrices, row-major, into others, of T, which begin as zeros.
template <class T>
class matmul_entrant
{
public:
    virtual ~matmul_entrant() = default;
    /// Starts the products; may return before they are done.
    virtual void launch() = 0;
    virtual void wait() = 0;
    /// Shows the results in host memory.
    virtual void look(const std::function<void(const T*)>& see) = 0;
};

/// OpenBLAS's gemm on as many threads of its own, one plane. Null where the program was built without it. Float or
/// double.
template <class T>
std::unique_ptr<matmul_entrant<T>> make_openblas_matmul(const matmul_size& s, int threads);
/// cuBLAS's gemm, floats in full single precision (no TF32), short numbers with sums in float, resident; several planes
/// by one call of its batches, floats only. Null where the program was built without it. Real and complex floats and
/// doubles, sk::half, sk::bfloat16.
template <class Side>
std::unique_ptr<matmul_entrant<product_of<Side>>> make_cublas_matmul(const matmul_size& s);

} // namespace bench
