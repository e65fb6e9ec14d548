#include "src/bench/skeletons/matmul_rivals.hpp"

#if SKELRT_BENCH_CUBLAS
#include "src/bench/shared/cuda_check.hpp"

#include <cublas_v2.h>

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

class cublas_entrant : public matmul_entrant
{
public:
    explicit cublas_entrant(std::size_t n) : n_(n)
    {
        cuda_check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        cublas_check(cublasCreate(&handle_));
        cublas_check(cublasSetStream(handle_, stream_));
        cublas_check(
            cublasSetMathMode(handle_, CUBLAS_DEFAULT_MATH)); // sgemm in single precision; TF32 must be asked for
        std::vector<float> values(n * n);
        for (float** p : {&a_, &b_, &c_}) cuda_check(cudaMalloc(reinterpret_cast<void**>(p), n * n * sizeof(float)));
        for (std::size_t i = 0; i < n * n; ++i) values[i] = left_value(i);
        cuda_check(cudaMemcpy(a_, values.data(), n * n * sizeof(float), cudaMemcpyHostToDevice));
        for (std::size_t i = 0; i < n * n; ++i) values[i] = right_value(i);
        cuda_check(cudaMemcpy(b_, values.data(), n * n * sizeof(float), cudaMemcpyHostToDevice));
    }
    ~cublas_entrant() override
    {
        for (float* p : {a_, b_, c_}) cudaFree(p);
        cublasDestroy(handle_);
        cudaStreamDestroy(stream_);
    }
    /// Column-major C^T = B^T A^T is row-major C = A B.
    void launch() override
    {
        const auto n = static_cast<int>(n_);
        const float one = 1, zero = 0;
        cublas_check(cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b_, n, a_, n, &zero, c_, n));
    }
    void wait() override { cuda_check(cudaStreamSynchronize(stream_)); }
    void look(const std::function<void(const float*)>& see) override
    {
        std::vector<float> copy(n_ * n_);
        cuda_check(cudaMemcpy(copy.data(), c_, n_ * n_ * sizeof(float), cudaMemcpyDeviceToHost));
        see(copy.data());
    }

private:
    std::size_t n_;
    cudaStream_t stream_ = nullptr;
    cublasHandle_t handle_ = nullptr;
    float *a_ = nullptr, *b_ = nullptr, *c_ = nullptr;
};

} // namespace

std::unique_ptr<matmul_entrant> make_cublas_matmul(std::size_t n) { return std::make_unique<cublas_entrant>(n); }
#else
std::unique_ptr<matmul_entrant> make_cublas_matmul(std::size_t) { return nullptr; }
#endif

} // namespace bench
