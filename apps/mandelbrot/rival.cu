// SPDX-License-Identifier: BSD-3-Clause
// The rival: escape times by hand, as one writes them for a GPU. A warp covers 8 x 4 pixels, whose counts differ less
// than those of 32 in a row; eight steps are done between two looks at |z|, and the last eight once more, one by one.
#include "rival.hpp"

#include "apps/shared/rival.cuh"

namespace mandelbrot::rival
{
namespace
{

constexpr int block_cols = 32, block_rows = 8; // eight warps, four beside each other

__device__ inline float escape(float x, float y, int limit)
{
    float a = 0, b = 0, a0, b0;
    int n = 0;
    do {
        a0 = a;
        b0 = b;
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            const float t = fmaf(a, a, fmaf(-b, b, x));
            b = fmaf(a + a, b, y);
            a = t;
        }
        n += 8;
    } while (n < limit && a * a + b * b <= 256.0f);
    if (a * a + b * b <= 256.0f) return static_cast<float>(limit);
    n -= 8;
    for (; a0 * a0 + b0 * b0 <= 256.0f; ++n) {
        const float t = fmaf(a0, a0, fmaf(-b0, b0, x));
        b0 = fmaf(a0 + a0, b0, y);
        a0 = t;
    }
    return static_cast<float>(n) + 4.0f - log2f(log2f(a0 * a0 + b0 * b0));
}

__device__ inline uchar4 shade(float iterations, int limit)
{
    if (iterations >= static_cast<float>(limit)) return make_uchar4(0, 0, 0, 255);
    const float t = 2.2f * logf(fmaxf(iterations, 1.0f)) + 3.5f;
    return make_uchar4(static_cast<unsigned char>(255.0f * (0.5f - 0.5f * cosf(t - 0.6f))),
                       static_cast<unsigned char>(255.0f * (0.48f - 0.46f * cosf(t))),
                       static_cast<unsigned char>(255.0f * (0.5f - 0.45f * cosf(t + 1.0f))), 255);
}

__global__ void __launch_bounds__(block_cols* block_rows) draw(problem p, uchar4* __restrict__ pixels)
{
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const unsigned col = blockIdx.x * block_cols + warp % 4 * 8 + lane % 8;
    const unsigned row = blockIdx.y * block_rows + warp / 4 * 4 + lane / 8;
    if (col >= p.cols || row >= p.rows) return;
    const float x = p.x + p.step * static_cast<float>(col), y = p.y - p.step * static_cast<float>(row);
    pixels[row * p.cols + col] = shade(escape(x, y, p.limit), p.limit);
}

} // namespace

const char* run(const problem& p, int untimed, int repeat, double* seconds, unsigned char* pixels)
{
    if (const char* why = apps::rival::no_gpu()) return why;
    const std::size_t bytes = p.rows * p.cols * sizeof(uchar4);
    const apps::rival::buffer result(bytes);
    if (!result.data) return "the GPU has too little memory left";
    const dim3 blocks(static_cast<unsigned>((p.cols + block_cols - 1) / block_cols),
                      static_cast<unsigned>((p.rows + block_rows - 1) / block_rows));
    cudaError_t status = apps::rival::time_runs(untimed, repeat, seconds, [&] {
        draw<<<blocks, block_cols * block_rows>>>(p, result.as<uchar4>());
    });
    if (status == cudaSuccess) status = cudaMemcpy(pixels, result.data, bytes, cudaMemcpyDeviceToHost);
    return apps::rival::text_of(status);
}

} // namespace mandelbrot::rival
