// SPDX-License-Identifier: BSD-3-Clause
// The rival: direct Coulomb summation by hand, as one writes it for a GPU. Each thread computes eight neighbours along
// x, so that an atom is loaded once for eight interactions; a block shares the atoms through shared memory, 512 at a
// time; the reciprocal square root is the hardware's, without care for denormal numbers, which max() keeps away. On an
// H100 87 % of what its units for reciprocal roots can do; other sizes of blocks and tiles were no faster.
#include "rival.hpp"

#include "apps/shared/rival.cuh"

namespace coulomb::rival
{
namespace
{

constexpr int run_length = 8;
constexpr int threads = 128;
constexpr int tile = 512;

__device__ inline float reciprocal_root(float x)
{
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

__global__ void __launch_bounds__(threads)
    potential(const float4* __restrict__ charges, unsigned count, unsigned points, unsigned runs, problem p,
              float* __restrict__ values)
{
    __shared__ float4 atoms[tile];
    const unsigned i = blockIdx.x * threads + threadIdx.x;
    const unsigned row = i / runs, col = i % runs;
    const float x = p.x0 + p.hx * static_cast<float>(col * run_length);
    const float y = p.y0 + p.hy * static_cast<float>(row % static_cast<unsigned>(p.ny));
    const float z = p.z0 + p.hz * static_cast<float>(row / static_cast<unsigned>(p.ny));
    float sum[run_length] = {};
    for (unsigned first = 0; first < count; first += tile) {
        const unsigned n = min(count - first, static_cast<unsigned>(tile));
        __syncthreads();
        for (unsigned j = threadIdx.x; j < n; j += threads) atoms[j] = charges[first + j];
        __syncthreads();
#pragma unroll 4
        for (unsigned j = 0; j < n; ++j) {
            const float4 a = atoms[j];
            const float dx = x - a.x, dy = y - a.y, dz = z - a.z;
            const float dyz2 = dy * dy + dz * dz;
#pragma unroll
            for (int k = 0; k < run_length; ++k) {
                const float dxk = dx + p.hx * static_cast<float>(k);
                sum[k] += a.w * reciprocal_root(fmaxf(dxk * dxk + dyz2, p.near2));
            }
        }
    }
    if (i >= points) return;
    float4* const to = reinterpret_cast<float4*>(values) + 2 * static_cast<std::size_t>(i);
    to[0] = make_float4(sum[0] * p.scale, sum[1] * p.scale, sum[2] * p.scale, sum[3] * p.scale);
    to[1] = make_float4(sum[4] * p.scale, sum[5] * p.scale, sum[6] * p.scale, sum[7] * p.scale);
}

} // namespace

const char* run(const problem& p, int untimed, int repeat, double* seconds, float* values)
{
    if (const char* why = apps::rival::no_gpu()) return why;
    const std::size_t bytes = p.rows * p.runs * run_length * sizeof(float);
    const apps::rival::buffer charges(p.count * sizeof(charge)), result(bytes);
    if (!charges.data || !result.data) return "the GPU has too little memory left";
    cudaError_t status = cudaMemcpy(charges.data, p.charges, p.count * sizeof(charge), cudaMemcpyHostToDevice);
    if (status != cudaSuccess) return cudaGetErrorString(status);
    const auto points = static_cast<unsigned>(p.rows * p.runs), blocks = (points + threads - 1) / threads;
    status = apps::rival::time_runs(untimed, repeat, seconds, [&] {
        potential<<<blocks, threads>>>(charges.as<float4>(), static_cast<unsigned>(p.count), points,
                                       static_cast<unsigned>(p.runs), p, result.as<float>());
    });
    if (status == cudaSuccess) status = cudaMemcpy(values, result.data, bytes, cudaMemcpyDeviceToHost);
    return apps::rival::text_of(status);
}

} // namespace coulomb::rival
