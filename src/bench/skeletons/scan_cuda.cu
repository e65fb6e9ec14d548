// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/shared/cuda_pair.hpp"
#include "src/bench/skeletons/scan_rivals.hpp"

#include <cub/device/device_scan.cuh>

namespace bench
{
namespace
{

class cuda_entrant : public cuda_pair<scan_entrant>
{
public:
    cuda_entrant(cuda_scan how, std::size_t n) : cuda_pair(n, scan_value), how_(how)
    {
        cuda_check(scan(nullptr));
        cuda_check(cudaMalloc(&scratch_, scratch_bytes_));
    }

    void launch() override
    {
        if (how_ == cuda_scan::cub) cuda_check(scan(scratch_));
        else cuda_check(cudaMemcpyAsync(y_, x_, n_ * sizeof(float), cudaMemcpyDeviceToDevice, stream_));
    }

private:
    cudaError_t scan(void* scratch)
    {
        return cub::DeviceScan::InclusiveSum(scratch, scratch_bytes_, x_, y_, n_, stream_);
    }

    cuda_scan how_;
};

} // namespace

std::unique_ptr<scan_entrant> make_cuda_scan(cuda_scan how, std::size_t n)
{
    return std::make_unique<cuda_entrant>(how, n);
}

} // namespace bench
