#include "cuda_check.hpp"
#include "sort_rivals.hpp"

#include <cub/device/device_radix_sort.cuh>

#include <vector>

namespace bench
{
namespace
{

class cuda_entrant : public sort_entrant
{
public:
    explicit cuda_entrant(std::size_t n) : n_(n)
    {
        cuda_check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        for (float** p : {&x_, &y_}) cuda_check(cudaMalloc(p, n * sizeof(float)));
        std::vector<float> x(n);
        for (std::size_t i = 0; i < n; ++i) x[i] = sort_value(i);
        cuda_check(cudaMemcpy(x_, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
        cuda_check(sort(nullptr));
        cuda_check(cudaMalloc(&scratch_, scratch_bytes_));
    }

    ~cuda_entrant() override
    {
        for (void* p : {static_cast<void*>(x_), static_cast<void*>(y_), scratch_}) cudaFree(p);
        cudaStreamDestroy(stream_);
    }

    void launch() override { cuda_check(sort(scratch_)); }
    void wait() override { cuda_check(cudaStreamSynchronize(stream_)); }
    void look(const std::function<void(const float*)>& see) override
    {
        std::vector<float> copy(n_);
        cuda_check(cudaMemcpy(copy.data(), y_, n_ * sizeof(float), cudaMemcpyDeviceToHost));
        see(copy.data());
    }

private:
    cudaError_t sort(void* scratch)
    {
        return cub::DeviceRadixSort::SortKeys(scratch, scratch_bytes_, x_, y_, n_, 0, 32, stream_);
    }

    std::size_t n_, scratch_bytes_ = 0;
    cudaStream_t stream_ = nullptr;
    float *x_ = nullptr, *y_ = nullptr;
    void* scratch_ = nullptr;
};

} // namespace

std::unique_ptr<sort_entrant> make_cuda_sort(std::size_t n) { return std::make_unique<cuda_entrant>(n); }

} // namespace bench
