// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/tasks/cholesky_rivals.hpp"

#if SKELRT_BENCH_CUDA
#include "src/bench/shared/cuda_check.hpp"
#include "src/bench/shared/timing.hpp"

#include "apps/shared/blas/cuda_handles.hpp"

#include <algorithm>
#endif

namespace bench
{

#if SKELRT_BENCH_CUDA
namespace
{

using apps::blas::check;

class cusolver_entrant : public cusolver_cholesky
{
public:
    cusolver_entrant(const double* a, std::size_t n) : n_(static_cast<int>(n)), bytes_(n * n * sizeof(double))
    {
        cuda_check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        for (double** p : {&original_, &a_}) cuda_check(cudaMalloc(reinterpret_cast<void**>(p), bytes_));
        cuda_check(cudaMemcpy(original_, a, bytes_, cudaMemcpyHostToDevice));
        cuda_check(cudaMalloc(reinterpret_cast<void**>(&info_), sizeof(int)));
        for (const int half : {lower, upper}) {
            int size = 0;
            check(library().potrf_size(handle(), half, n_, a_, n_, &size), "cusolver potrf_bufferSize");
            size_ = std::max(size_, size);
        }
        cuda_check(cudaMalloc(reinterpret_cast<void**>(&work_), static_cast<std::size_t>(size_) * sizeof(double)));
    }
    ~cusolver_entrant() override
    {
        for (void* p : {static_cast<void*>(original_), static_cast<void*>(a_), static_cast<void*>(work_),
                        static_cast<void*>(info_)})
            cudaFree(p);
        cudaStreamDestroy(stream_);
    }
    double seconds() override { return std::min(seconds_of(lower), seconds_of(upper)); }

private:
    static constexpr int lower = 0, upper = 1; // of cublasFillMode_t

    static const apps::blas::cuda_functions<double>& library() { return apps::blas::open_cuda_libraries().of_double; }
    void* handle() const { return apps::blas::handles_of(skelrt::cuda_stream(stream_)).solver; }

    double seconds_of(int half)
    {
        cuda_check(cudaMemcpyAsync(a_, original_, bytes_, cudaMemcpyDeviceToDevice, stream_));
        cuda_check(cudaStreamSynchronize(stream_));
        const double begin = now();
        check(library().potrf(handle(), half, n_, a_, n_, work_, size_, info_), "cusolver potrf");
        cuda_check(cudaStreamSynchronize(stream_));
        return now() - begin;
    }

    int n_, size_ = 0;
    std::size_t bytes_;
    cudaStream_t stream_ = nullptr;
    double *original_ = nullptr, *a_ = nullptr, *work_ = nullptr;
    int* info_ = nullptr;
};

} // namespace

std::unique_ptr<cusolver_cholesky> make_cusolver_cholesky(const double* a, std::size_t n)
{
    if (!apps::blas::open_cuda_libraries().missing.empty()) return nullptr;
    return std::make_unique<cusolver_entrant>(a, n);
}
#else
std::unique_ptr<cusolver_cholesky> make_cusolver_cholesky(const double*, std::size_t) { return nullptr; }
#endif

} // namespace bench
