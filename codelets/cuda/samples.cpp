// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/samples.hpp"

#include "codelets/cuda/cuda.hpp"
#include "src/jit/current_device.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <string>

namespace skelrt::detail::cuda
{
namespace
{

constexpr std::size_t usual_bytes = std::size_t{512} << 10;

struct device_memory {
    void* data = nullptr;
    std::size_t bytes = 0;
};

std::mutex guard;

std::map<int, device_memory>& all()
{
    static auto& memory = *new std::map<int, device_memory>;
    return memory;
}

} // namespace

std::byte* sample_memory(std::size_t bytes)
{
    const int device = device_now();
    const std::scoped_lock lock{guard};
    device_memory& m = all()[device];
    if (m.bytes < bytes) {
        const std::size_t wanted = std::max(bytes, usual_bytes);
        if (m.data) check_cuda(cudaFree(m.data), "cannot free memory for samples"); // waits for its last use
        m = {};
        check_cuda(cudaMalloc(&m.data, wanted), "no memory for samples");
        m.bytes = wanted;
    }
    return static_cast<std::byte*>(m.data);
}

void reserve_samples(int device)
{
    {
        const std::scoped_lock lock{guard};
        if (all()[device].bytes > 0) return;
    }
    const current_device scope{device};
    sample_memory(usual_bytes);
}

void release_samples() noexcept
{
    const std::scoped_lock lock{guard};
    int before = 0;
    if (all().empty() || cudaGetDevice(&before) != cudaSuccess) return;
    for (auto& [device, m] : all())
        if (m.data && cudaSetDevice(device) == cudaSuccess) cudaFree(m.data);
    all().clear();
    cudaSetDevice(before);
}

void copy_rows(void* to, const void* from, std::size_t row_bytes, std::size_t rows, std::size_t pitch,
               cudaStream_t stream)
{
    if (row_bytes == 0 || rows == 0) return;
    constexpr std::size_t most_pitch = std::numeric_limits<int>::max(); // cudaDeviceProp::memPitch
    if (rows == 1 || pitch > most_pitch) {
        for (std::size_t r = 0; r < rows; ++r)
            copy(static_cast<std::byte*>(to) + r * row_bytes, static_cast<const std::byte*>(from) + r * pitch,
                 row_bytes, stream);
        return;
    }
    check_cuda(cudaMemcpy2DAsync(to, row_bytes, from, pitch, row_bytes, rows, cudaMemcpyDefault, stream),
               "cannot copy some elements");
}

void copy_and_wait(void* to, const void* from, std::size_t bytes, cudaStream_t stream)
{
    copy(to, from, bytes, stream);
    check_cuda(cudaStreamSynchronize(stream), "a copy, or a kernel before it, failed");
}

} // namespace skelrt::detail::cuda
