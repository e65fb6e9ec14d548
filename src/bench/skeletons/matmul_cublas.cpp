// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/skeletons/matmul_rivals.hpp"

#include <skelrt/bfloat16.hpp>
#include <skelrt/half.hpp>

#include <complex>

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

/// Both sides and the result of a product, column-major: C^T = B^T A^T, as row-major C = A B.
template <class Side>
struct gemm_data {
    const Side *right, *left;
    product_of<Side>* result;
    product_of<Side> beta;
};

/// gemm(handle, how, how, n, n, n, ...) in the types of cuBLAS's.
template <class Number, class Side, class Gemm>
void run_gemm(cublasHandle_t handle, const matmul_size& s, const gemm_data<Side>& d, Gemm gemm)
{
    const auto n = static_cast<int>(s.n);
    const Side one = 1;
    const auto as = [](const Side* p) { return reinterpret_cast<const Number*>(p); };
    cublas_check(gemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, as(&one), as(d.right), n, as(d.left), n, as(&d.beta),
                      reinterpret_cast<Number*>(d.result), n));
}

void multiply(cublasHandle_t handle, const matmul_size& s, const gemm_data<float>& d)
{
    if (s.planes == 1) return run_gemm<float>(handle, s, d, cublasSgemm);
    const auto n = static_cast<int>(s.n);
    const auto step = static_cast<long long>(s.n * s.n);
    const float one = 1;
    cublas_check(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, d.right, n, step, d.left, n,
                                           step, &d.beta, d.result, n, step, static_cast<int>(s.planes)));
}
void multiply(cublasHandle_t handle, const matmul_size& s, const gemm_data<double>& d)
{
    run_gemm<double>(handle, s, d, cublasDgemm);
}
void multiply(cublasHandle_t handle, const matmul_size& s, const gemm_data<std::complex<float>>& d)
{
    run_gemm<cuComplex>(handle, s, d, cublasCgemm);
}
void multiply(cublasHandle_t handle, const matmul_size& s, const gemm_data<std::complex<double>>& d)
{
    run_gemm<cuDoubleComplex>(handle, s, d, cublasZgemm);
}
/// Short numbers, added up as floats.
template <class Side>
void multiply(cublasHandle_t handle, const matmul_size& s, const gemm_data<Side>& d)
{
    constexpr auto type = std::is_same_v<Side, skelrt::half> ? CUDA_R_16F : CUDA_R_16BF;
    const auto n = static_cast<int>(s.n);
    const float one = 1;
    cublas_check(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, d.right, type, n, d.left, type, n,
                              &d.beta, d.result, CUDA_R_32F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
}

template <class Side>
class cublas_entrant : public matmul_entrant<product_of<Side>>
{
    using T = product_of<Side>;

public:
    explicit cublas_entrant(const matmul_size& s) : size_(s)
    {
        cuda_check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        cublas_check(cublasCreate(&handle_));
        cublas_check(cublasSetStream(handle_, stream_));
        cublas_check(
            cublasSetMathMode(handle_, CUBLAS_DEFAULT_MATH)); // sgemm in single precision; TF32 must be asked for
        std::vector<Side> values(s.elements());
        const std::size_t bytes = values.size() * sizeof(Side);
        for (Side** p : {&a_, &b_}) cuda_check(cudaMalloc(reinterpret_cast<void**>(p), bytes));
        cuda_check(cudaMalloc(reinterpret_cast<void**>(&c_), values.size() * sizeof(T)));
        cuda_check(cudaMemset(c_, 0, values.size() * sizeof(T)));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = left_element<Side>(i);
        cuda_check(cudaMemcpy(a_, values.data(), bytes, cudaMemcpyHostToDevice));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = right_element<Side>(i);
        cuda_check(cudaMemcpy(b_, values.data(), bytes, cudaMemcpyHostToDevice));
        cuda_check(cudaDeviceSynchronize());
    }
    ~cublas_entrant() override
    {
        for (void* p : {static_cast<void*>(a_), static_cast<void*>(b_), static_cast<void*>(c_)}) cudaFree(p);
        cublasDestroy(handle_);
        cudaStreamDestroy(stream_);
    }
    void launch() override
    {
        multiply(handle_, size_, gemm_data<Side>{b_, a_, c_, T(size_.goes == product_goes::on_top ? 1 : 0)});
    }
    void wait() override { cuda_check(cudaStreamSynchronize(stream_)); }
    void look(const std::function<void(const T*)>& see) override
    {
        std::vector<T> copy(size_.elements());
        cuda_check(cudaMemcpy(copy.data(), c_, copy.size() * sizeof(T), cudaMemcpyDeviceToHost));
        see(copy.data());
    }

private:
    matmul_size size_;
    cudaStream_t stream_ = nullptr;
    cublasHandle_t handle_ = nullptr;
    Side *a_ = nullptr, *b_ = nullptr;
    T* c_ = nullptr;
};

} // namespace

template <class Side>
std::unique_ptr<matmul_entrant<product_of<Side>>> make_cublas_matmul(const matmul_size& s)
{
    return std::make_unique<cublas_entrant<Side>>(s);
}
#else
template <class Side>
std::unique_ptr<matmul_entrant<product_of<Side>>> make_cublas_matmul(const matmul_size&)
{
    return nullptr;
}
#endif

template std::unique_ptr<matmul_entrant<float>> make_cublas_matmul<float>(const matmul_size&);
template std::unique_ptr<matmul_entrant<double>> make_cublas_matmul<double>(const matmul_size&);
template std::unique_ptr<matmul_entrant<std::complex<float>>>
make_cublas_matmul<std::complex<float>>(const matmul_size&);
template std::unique_ptr<matmul_entrant<std::complex<double>>>
make_cublas_matmul<std::complex<double>>(const matmul_size&);
template std::unique_ptr<matmul_entrant<float>> make_cublas_matmul<skelrt::half>(const matmul_size&);
template std::unique_ptr<matmul_entrant<float>> make_cublas_matmul<skelrt::bfloat16>(const matmul_size&);

} // namespace bench
