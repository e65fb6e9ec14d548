#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace bench
{

/// Elements of the two factors: small whole numbers, so that every product is exact in a float, whatever the order.
constexpr float left_value(std::size_t i) { return static_cast<float>(i % 5) - 2.0f; }
constexpr float right_value(std::size_t i) { return static_cast<float>(i % 7) - 3.0f; }

/// Somebody who multiplies two n x n matrices of floats, row-major, into a third.
class matmul_entrant
{
public:
    virtual ~matmul_entrant() = default;
    /// Starts a product; may return before it is done.
    virtual void launch() = 0;
    virtual void wait() = 0;
    /// Shows the product in host memory.
    virtual void look(const std::function<void(const float*)>& see) = 0;
};

/// OpenBLAS's sgemm on as many threads of its own. Null where the program was built without it.
std::unique_ptr<matmul_entrant> make_openblas_matmul(std::size_t n, int threads);
/// cuBLAS's sgemm in full single precision (no TF32), resident. Null where the program was built without it.
std::unique_ptr<matmul_entrant> make_cublas_matmul(std::size_t n);

} // namespace bench
