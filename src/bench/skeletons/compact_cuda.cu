// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/skeletons/compact_rivals.hpp"
#include "src/bench/shared/cuda_check.hpp"

#include <cub/device/device_histogram.cuh>
#include <cub/device/device_select.cuh>

#include <vector>

namespace bench
{
namespace
{

struct keeps {
    __host__ __device__ bool operator()(float v) const { return v < 0.5f; }
};

class cuda_entrant : public compact_entrant
{
public:
    explicit cuda_entrant(std::size_t n) : n_(n)
    {
        cuda_check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        cuda_check(cudaMalloc(&x_, n * sizeof(float)));
        std::vector<float> x(n);
        for (std::size_t i = 0; i < n; ++i) x[i] = compact_value(i);
        cuda_check(cudaMemcpy(x_, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    }
    ~cuda_entrant() override
    {
        cudaFree(x_);
        cudaFree(scratch_);
        cudaStreamDestroy(stream_);
    }
    void wait() override { cuda_check(cudaStreamSynchronize(stream_)); }

protected:
    std::size_t n_, scratch_bytes_ = 0;
    cudaStream_t stream_ = nullptr;
    float* x_ = nullptr;
    void* scratch_ = nullptr;
};

class cuda_filter : public cuda_entrant
{
public:
    explicit cuda_filter(std::size_t n) : cuda_entrant(n)
    {
        cuda_check(cudaMalloc(&y_, n * sizeof(float)));
        cuda_check(cudaMalloc(&count_, sizeof(std::size_t)));
        cuda_check(cudaMallocHost(&kept_, sizeof(std::size_t)));
        cuda_check(select(nullptr));
        cuda_check(cudaMalloc(&scratch_, scratch_bytes_));
    }
    ~cuda_filter() override
    {
        cudaFree(y_);
        cudaFree(count_);
        cudaFreeHost(kept_);
    }
    /// Who wants a container of the results needs their number.
    void launch() override
    {
        cuda_check(select(scratch_));
        cuda_check(cudaMemcpyAsync(kept_, count_, sizeof(std::size_t), cudaMemcpyDeviceToHost, stream_));
        wait();
    }
    void look(const std::function<void(const void*, std::size_t)>& see) override
    {
        std::vector<float> copy(*kept_);
        cuda_check(cudaMemcpy(copy.data(), y_, *kept_ * sizeof(float), cudaMemcpyDeviceToHost));
        see(copy.data(), copy.size());
    }

private:
    cudaError_t select(void* scratch)
    {
        return cub::DeviceSelect::If(scratch, scratch_bytes_, x_, y_, count_, static_cast<long long>(n_), keeps{},
                                     stream_);
    }
    float* y_ = nullptr;
    std::size_t *count_ = nullptr, *kept_ = nullptr;
};

class cuda_histogram : public cuda_entrant
{
public:
    cuda_histogram(std::size_t n, std::size_t bins) : cuda_entrant(n), bins_(bins)
    {
        cuda_check(cudaMalloc(&counts_, bins * sizeof(unsigned)));
        cuda_check(count(nullptr));
        cuda_check(cudaMalloc(&scratch_, scratch_bytes_));
    }
    ~cuda_histogram() override { cudaFree(counts_); }
    void launch() override { cuda_check(count(scratch_)); }
    void look(const std::function<void(const void*, std::size_t)>& see) override
    {
        std::vector<unsigned> copy(bins_);
        cuda_check(cudaMemcpy(copy.data(), counts_, bins_ * sizeof(unsigned), cudaMemcpyDeviceToHost));
        see(copy.data(), bins_);
    }

private:
    cudaError_t count(void* scratch)
    {
        return cub::DeviceHistogram::HistogramEven(scratch, scratch_bytes_, x_, counts_, static_cast<int>(bins_ + 1),
                                                   0.0f, 1.0f, static_cast<long long>(n_), stream_);
    }
    std::size_t bins_;
    unsigned* counts_ = nullptr;
};

} // namespace

std::unique_ptr<compact_entrant> make_cuda_compact(compact_task what, std::size_t n, std::size_t bins)
{
    if (what == compact_task::filter) return std::make_unique<cuda_filter>(n);
    return std::make_unique<cuda_histogram>(n, bins);
}

} // namespace bench
