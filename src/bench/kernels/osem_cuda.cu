// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/kernels/rivals.hpp"
#include "src/bench/shared/cuda_entrant.hpp"

namespace bench
{
namespace
{

constexpr unsigned threads = 256;

/// From voxel to voxel along a line (Siddon's path, as Amanatides and Woo have it): visit(voxel, length in it).
template <class Visit>
__device__ __forceinline__ void follow(const seen_decay& e, int size, Visit visit)
{
    int voxel[3], way[3];
    float next[3], step[3], t = 0, end = 1, square = 0, rise[3];
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        const float d = e.b[k] - e.a[k];
        rise[k] = fabsf(d) < 1e-6f ? 1e-6f : d;
        const float t0 = -e.a[k] / rise[k], t1 = (static_cast<float>(size) - e.a[k]) / rise[k];
        square += rise[k] * rise[k];
        t = fmaxf(t, fminf(t0, t1));
        end = fminf(end, fmaxf(t0, t1));
    }
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        voxel[k] = min(max(static_cast<int>(e.a[k] + t * rise[k]), 0), size - 1);
        way[k] = rise[k] > 0 ? 1 : -1;
        next[k] = (static_cast<float>(rise[k] > 0 ? voxel[k] + 1 : voxel[k]) - e.a[k]) / rise[k];
        step[k] = fabsf(1 / rise[k]);
    }
    const float length = sqrtf(square);
    while (t < end) {
        const float leaves = fminf(fminf(next[0], next[1]), fminf(next[2], end));
        visit((voxel[2] * size + voxel[1]) * size + voxel[0], length * fmaxf(leaves - t, 0.0f));
        t = leaves;
#pragma unroll
        for (int k = 0; k < 3; ++k)
            if (next[k] <= t) {
                voxel[k] += way[k];
                next[k] += step[k];
                if (static_cast<unsigned>(voxel[k]) >= static_cast<unsigned>(size)) end = -1;
            }
    }
}

/// What the image would have shown along a line, and then what each of its voxels should be multiplied by.
__global__ void __launch_bounds__(threads) compare(const seen_decay* __restrict__ seen, std::size_t n,
                                                   const float* __restrict__ image, int size, float* change)
{
    const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
    if (i >= n) return;
    const seen_decay e = seen[i];
    float sum = 0;
    follow(e, size, [&](int voxel, float length) { sum += length * image[voxel]; });
    if (sum > 0) follow(e, size, [&](int voxel, float length) { atomicAdd(change + voxel, length / sum); });
}

__global__ void __launch_bounds__(threads)
    update(float* image, const float* __restrict__ change, const float* __restrict__ sensitivity, std::size_t n)
{
    const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
    if (i < n) image[i] = sensitivity[i] > 0 ? image[i] * change[i] / sensitivity[i] : 0;
}

__global__ void __launch_bounds__(threads) make_even(float* image, std::size_t n)
{
    const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
    if (i < n) image[i] = 1;
}

class cuda_osem : public cuda_entrant<kernel_entrant<float>>
{
public:
    explicit cuda_osem(const tomography& p)
        : seen_(p.seen), size_(p.size), subsets_(p.subsets), image_(voxels_of(p)), change_(voxels_of(p)),
          sensitivity_(voxels_of(p))
    {
        const cuda_buffer<seen_decay> calibration(p.calibration);
        begin_image();
        add_changes(calibration.data(), calibration.size(), sensitivity_);
        wait();
    }
    void launch() override
    {
        const std::size_t count = seen_.size() / subsets_;
        begin_image();
        for (std::size_t k = 0; k < subsets_; ++k) {
            cuda_check(cudaMemsetAsync(change_.data(), 0, change_.size() * sizeof(float), stream_));
            add_changes(seen_.data() + k * count, count, change_);
            update<<<blocks_for(image_.size(), threads), threads, 0, stream_>>>(image_.data(), change_.data(),
                                                                                sensitivity_.data(), image_.size());
            launched();
        }
    }
    std::vector<float> result() override { return image_.read(); }

private:
    static std::size_t voxels_of(const tomography& p)
    {
        const auto edge = static_cast<std::size_t>(p.size);
        return edge * edge * edge;
    }
    void begin_image()
    {
        make_even<<<blocks_for(image_.size(), threads), threads, 0, stream_>>>(image_.data(), image_.size());
        launched();
    }
    void add_changes(const seen_decay* seen, std::size_t count, const cuda_buffer<float>& to)
    {
        compare<<<blocks_for(count, threads), threads, 0, stream_>>>(seen, count, image_.data(), size_, to.data());
        launched();
    }

    cuda_buffer<seen_decay> seen_;
    int size_;
    std::size_t subsets_;
    cuda_buffer<float> image_, change_, sensitivity_;
};

} // namespace

std::unique_ptr<kernel_entrant<float>> make_cuda_osem(const tomography& problem)
{
    return std::make_unique<cuda_osem>(problem);
}

} // namespace bench
