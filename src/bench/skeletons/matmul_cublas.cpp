// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/skeletons/matmul_rivals.hpp"

#include <skelrt/half.hpp>

#if SKELRT_BENCH_CUBLAS
#include "src/bench/shared/cuda_check.hpp"

#include <cublas_v2.h>

#include <type_traits>
#include <vector>
#endif

namespace bench
{

#if SKELRT_BENCH_CUBLAS
namespace
{

void cublas_check(cublasStatus_t status)
{
    if (status != CUBLAS_STATUS_SUCCESS)
        throw std::runtime_error(std::string("rival cuBLAS: ") + cublasGetStatusString(status));
}

template <class Side>
class cublas_entrant : public matmul_entrant<product_of<Side>>
{
    using T = product_of<Side>;

public:
    explicit cublas_entrant(std::size_t n) : n_(n)
    {
        cuda_check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        cublas_check(cublasCreate(&handle_));
        cublas_check(cublasSetStream(handle_, stream_));
        cublas_check(
            cublasSetMathMode(handle_, CUBLAS_DEFAULT_MATH)); // sgemm in single precision; TF32 must be asked for
        std::vector<Side> values(n * n);
        const std::size_t bytes = n * n * sizeof(Side);
        for (Side** p : {&a_, &b_}) cuda_check(cudaMalloc(reinterpret_cast<void**>(p), bytes));
        cuda_check(cudaMalloc(reinterpret_cast<void**>(&c_), n * n * sizeof(T)));
        for (std::size_t i = 0; i < n * n; ++i) values[i] = static_cast<Side>(left_value(i));
        cuda_check(cudaMemcpy(a_, values.data(), bytes, cudaMemcpyHostToDevice));
        for (std::size_t i = 0; i < n * n; ++i) values[i] = static_cast<Side>(right_value(i));
        cuda_check(cudaMemcpy(b_, values.data(), bytes, cudaMemcpyHostToDevice));
    }
    ~cublas_entrant() override
    {
        for (void* p : {static_cast<void*>(a_), static_cast<void*>(b_), static_cast<void*>(c_)}) cudaFree(p);
        cublasDestroy(handle_);
        cudaStreamDestroy(stream_);
    }
    /// Column-major C^T = B^T A^T is row-major C = A B.
    void launch() override
    {
        const auto n = static_cast<int>(n_);
        const T one = 1, zero = 0;
        const auto run = [&](auto gemm) {
            cublas_check(gemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b_, n, a_, n, &zero, c_, n));
        };
        if constexpr (std::is_same_v<Side, float>) run(cublasSgemm);
        else if constexpr (std::is_same_v<Side, double>) run(cublasDgemm);
        else
            cublas_check(cublasGemmEx(handle_, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b_, CUDA_R_16F, n, a_,
                                      CUDA_R_16F, n, &zero, c_, CUDA_R_32F, n, CUBLAS_COMPUTE_32F,
                                      CUBLAS_GEMM_DEFAULT));
    }
    void wait() override { cuda_check(cudaStreamSynchronize(stream_)); }
    void look(const std::function<void(const T*)>& see) override
    {
        std::vector<T> copy(n_ * n_);
        cuda_check(cudaMemcpy(copy.data(), c_, n_ * n_ * sizeof(T), cudaMemcpyDeviceToHost));
        see(copy.data());
    }

private:
    std::size_t n_;
    cudaStream_t stream_ = nullptr;
    cublasHandle_t handle_ = nullptr;
    Side *a_ = nullptr, *b_ = nullptr;
    T* c_ = nullptr;
};

} // namespace

template <class Side>
std::unique_ptr<matmul_entrant<product_of<Side>>> make_cublas_matmul(std::size_t n)
{
    return std::make_unique<cublas_entrant<Side>>(n);
}
#else
template <class Side>
std::unique_ptr<matmul_entrant<product_of<Side>>> make_cublas_matmul(std::size_t)
{
    return nullptr;
}
#endif

template std::unique_ptr<matmul_entrant<float>> make_cublas_matmul<float>(std::size_t);
template std::unique_ptr<matmul_entrant<double>> make_cublas_matmul<double>(std::size_t);
template std::unique_ptr<matmul_entrant<float>> make_cublas_matmul<skelrt::half>(std::size_t);

} // namespace bench
