// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/shared/cuda_check.hpp"
#include "src/bench/streams/onepass_rivals.hpp"
#include "src/bench/shared/timing.hpp"

#include <algorithm>

namespace bench
{
namespace
{

constexpr int streams = 3;
constexpr std::size_t pieces = 16;

__global__ void steps_by_hand(int steps, std::size_t n, const float* x, float* y)
{
    const std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float a = x[i];
    float s = y[i];
    for (int j = 0; j < steps; ++j) s = s * 0.999f + a;
    y[i] = s;
}

class onepass_cuda : public onepass_rival
{
public:
    explicit onepass_cuda(std::size_t n) : n_(n), piece_((n + pieces - 1) / pieces)
    {
        for (float** p : {&host_x_, &host_y_}) cuda_check(cudaHostAlloc(p, n * sizeof(float), cudaHostAllocDefault));
        for (int s = 0; s < streams; ++s) {
            cuda_check(cudaStreamCreateWithFlags(&stream_[s], cudaStreamNonBlocking));
            cuda_check(cudaMalloc(&x_[s], piece_ * sizeof(float)));
            cuda_check(cudaMalloc(&y_[s], piece_ * sizeof(float)));
        }
        std::fill_n(host_x_, n, 1.0f);
        std::fill_n(host_y_, n, 2.0f);
    }

    ~onepass_cuda() override
    {
        for (int s = 0; s < streams; ++s) {
            cudaFree(x_[s]);
            cudaFree(y_[s]);
            cudaStreamDestroy(stream_[s]);
        }
        cudaFreeHost(host_x_);
        cudaFreeHost(host_y_);
    }

    double pass(int steps) override
    {
        const double start = now();
        for (std::size_t p = 0; p * piece_ < n_; ++p) piece(steps, p * piece_, static_cast<int>(p % streams));
        for (const cudaStream_t s : stream_) cuda_check(cudaStreamSynchronize(s));
        return now() - start;
    }

private:
    void piece(int steps, std::size_t first, int s)
    {
        const std::size_t count = std::min(piece_, n_ - first), bytes = count * sizeof(float);
        cuda_check(cudaMemcpyAsync(x_[s], host_x_ + first, bytes, cudaMemcpyHostToDevice, stream_[s]));
        cuda_check(cudaMemcpyAsync(y_[s], host_y_ + first, bytes, cudaMemcpyHostToDevice, stream_[s]));
        steps_by_hand<<<static_cast<unsigned>((count + 255) / 256), 256, 0, stream_[s]>>>(steps, count, x_[s], y_[s]);
        cuda_check(cudaGetLastError());
        cuda_check(cudaMemcpyAsync(host_y_ + first, y_[s], bytes, cudaMemcpyDeviceToHost, stream_[s]));
    }

    std::size_t n_, piece_;
    float *host_x_ = nullptr, *host_y_ = nullptr;
    float* x_[streams] = {};
    float* y_[streams] = {};
    cudaStream_t stream_[streams] = {};
};

} // namespace

std::unique_ptr<onepass_rival> make_onepass_cuda(std::size_t n) { return std::make_unique<onepass_cuda>(n); }

} // namespace bench
