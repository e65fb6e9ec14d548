// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/shared/cuda_pair.hpp"
#include "src/bench/skeletons/sort_rivals.hpp"

#include <cub/device/device_radix_sort.cuh>

namespace bench
{
namespace
{

class cuda_entrant : public cuda_pair<sort_entrant>
{
public:
    explicit cuda_entrant(std::size_t n) : cuda_pair(n, sort_value)
    {
        cuda_check(sort(nullptr));
        cuda_check(cudaMalloc(&scratch_, scratch_bytes_));
    }

    void launch() override { cuda_check(sort(scratch_)); }

private:
    cudaError_t sort(void* scratch)
    {
        return cub::DeviceRadixSort::SortKeys(scratch, scratch_bytes_, x_, y_, n_, 0, 32, stream_);
    }
};

} // namespace

std::unique_ptr<sort_entrant> make_cuda_sort(std::size_t n) { return std::make_unique<cuda_entrant>(n); }

} // namespace bench
