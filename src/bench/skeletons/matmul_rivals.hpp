// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

namespace bench
{

/// Elements of the two factors: small whole numbers, so that every product is exact in a float, whatever the order.
constexpr int left_value(std::size_t i) { return static_cast<int>(i % 5) - 2; }
constexpr int right_value(std::size_t i) { return static_cast<int>(i % 7) - 3; }

/// What a product of such elements is made of: floats, of halves.
template <class Side>
using product_of = decltype(std::declval<Side>() * std::declval<Side>());

/// Somebody who multiplies two n x n matrices, row-major, into a third, of T.
template <class T>
class matmul_entrant
{
public:
    virtual ~matmul_entrant() = default;
    /// Starts a product; may return before it is done.
    virtual void launch() = 0;
    virtual void wait() = 0;
    /// Shows the product in host memory.
    virtual void look(const std::function<void(const T*)>& see) = 0;
};

/// OpenBLAS's gemm on as many threads of its own. Null where the program was built without it. Float or double.
template <class T>
std::unique_ptr<matmul_entrant<T>> make_openblas_matmul(std::size_t n, int threads);
/// cuBLAS's gemm, floats in full single precision (no TF32), halves with sums in float, resident. Null where the
/// program was built without it. Float, double or sk::half.
template <class Side>
std::unique_ptr<matmul_entrant<product_of<Side>>> make_cublas_matmul(std::size_t n);

} // namespace bench
