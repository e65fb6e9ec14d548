// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/kernels/rivals.hpp"
#include "src/bench/shared/cuda_entrant.hpp"

#include <vector>

namespace bench
{
namespace
{

/// Column by column, so that those of a column are next to each other.
__constant__ float weights[most_width * most_width];

__device__ __forceinline__ int nearest(int i, int n) { return min(max(i, 0), n - 1); }

/// Makes `Rows` pixels, one below the other: each that is read, by read(row, column), serves all that it is a neighbour
/// of.
template <int Width, int Rows, class Read>
__device__ __forceinline__ void sum_up(float* to, int n, int row, int col, Read read)
{
    constexpr int columns_at_once = Width <= 9 ? Width : 1; // larger loops would not fit the cache of instructions
    float sum[Rows] = {};
#pragma unroll columns_at_once
    for (int j = 0; j < Width; ++j)
#pragma unroll
        for (int r = 0; r < Rows + Width - 1; ++r) {
            const float u = read(r, j);
#pragma unroll
            for (int k = 0; k < Rows; ++k)
                if (r >= k && r - k < Width) sum[k] += weights[j * Width + r - k] * u;
        }
#pragma unroll
    for (int k = 0; k < Rows; ++k)
        if (row + k < n && col < n) to[static_cast<std::size_t>(row + k) * n + col] = sum[k];
}

/// By way of a tile in shared memory.
template <int Width, int Across, int Down, int Rows>
__global__ void __launch_bounds__(Across* Down)
    convolve_tile(const float* __restrict__ from, float* __restrict__ to, int n)
{
    constexpr int reach = Width / 2, tile_rows = Down * Rows + Width - 1, tile_cols = Across + Width - 1;
    __shared__ float tile[tile_rows][tile_cols];
    const int top = static_cast<int>(blockIdx.y) * Down * Rows, left = static_cast<int>(blockIdx.x) * Across;
    const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
    const auto load = [&](auto place) {
        for (int r = y; r < tile_rows; r += Down)
            for (int c = x; c < tile_cols; c += Across)
                tile[r][c] = from[static_cast<std::size_t>(place(top + r - reach)) * n + place(left + c - reach)];
    };
    if (min(top, left) >= reach && top + tile_rows - reach <= n && left + tile_cols - reach <= n)
        load([](int i) { return i; });
    else load([n](int i) { return nearest(i, n); });
    __syncthreads();
    sum_up<Width, Rows>(to, n, top + y * Rows, left + x, [&](int r, int j) { return tile[y * Rows + r][x + j]; });
}

/// Straight from memory, and so mostly from the first cache: enough for small filters.
template <int Width, int Across, int Down, int Rows>
__global__ void __launch_bounds__(Across* Down)
    convolve_directly(const float* __restrict__ from, float* __restrict__ to, int n)
{
    const int row = static_cast<int>(blockIdx.y * Down + threadIdx.y) * Rows;
    const int col = static_cast<int>(blockIdx.x * Across + threadIdx.x);
    sum_up<Width, Rows>(to, n, row, col, [&](int r, int j) {
        return from[static_cast<std::size_t>(nearest(row + r - Width / 2, n)) * n + nearest(col + j - Width / 2, n)];
    });
}

/// A kernel, and what a block of it makes.
struct convolution_shape {
    void (*run)(const float*, float*, int);
    dim3 threads;
    unsigned rows, cols;
};

template <int Width, int Across, int Down, int Rows>
convolution_shape tiled()
{
    return {convolve_tile<Width, Across, Down, Rows>, dim3(Across, Down), Down * Rows, Across};
}

template <int Width, int Across, int Down, int Rows>
convolution_shape direct()
{
    return {convolve_directly<Width, Across, Down, Rows>, dim3(Across, Down), Down * Rows, Across};
}

template <int Width = least_width>
std::vector<convolution_shape> shapes_of(int width)
{
    if constexpr (Width < most_width)
        if (width != Width) return shapes_of<Width + 2>(width);
    std::vector<convolution_shape> all{tiled<Width, 32, 8, 4>(), tiled<Width, 32, 8, 8>(), tiled<Width, 32, 4, 16>(),
                                       tiled<Width, 64, 4, 8>()};
    if constexpr (Width <= 7) all.insert(all.end(), {direct<Width, 32, 8, 4>(), direct<Width, 32, 8, 8>()});
    return all;
}

class cuda_convolution : public cuda_entrant<kernel_entrant<float>>
{
public:
    cuda_convolution(std::size_t n, int width)
        : n_(static_cast<int>(n)), from_(made<float>(n * n, pixel_value)), to_(n * n)
    {
        std::vector<float> by_column;
        for (int i = 0; i < width * width; ++i)
            by_column.push_back(weight_value(static_cast<std::size_t>(i % width * width + i / width)));
        cuda_check(cudaMemcpyToSymbol(weights, by_column.data(), by_column.size() * sizeof(float)));
        cuda_check(cudaDeviceSynchronize());
        choose(shapes_of(width));
    }
    void launch() override
    {
        const dim3 blocks(blocks_for(n_, shape_.cols), blocks_for(n_, shape_.rows));
        shape_.run<<<blocks, shape_.threads, 0, stream_>>>(from_.data(), to_.data(), n_);
        launched();
    }
    std::vector<float> result() override { return to_.read(); }

private:
    void choose(const std::vector<convolution_shape>& shapes)
    {
        double least = 0;
        convolution_shape fastest = shapes.front();
        for (const convolution_shape& s : shapes) {
            shape_ = s;
            const double time = milliseconds();
            if (least != 0 && time >= least) continue;
            least = time;
            fastest = s;
        }
        shape_ = fastest;
    }
    double milliseconds()
    {
        constexpr int times = 5;
        cudaEvent_t begin, end;
        cuda_check(cudaEventCreate(&begin));
        cuda_check(cudaEventCreate(&end));
        launch(); // loads the kernel
        cuda_check(cudaEventRecord(begin, stream_));
        for (int i = 0; i < times; ++i) launch();
        cuda_check(cudaEventRecord(end, stream_));
        wait();
        float passed = 0;
        cuda_check(cudaEventElapsedTime(&passed, begin, end));
        cudaEventDestroy(begin);
        cudaEventDestroy(end);
        return passed / times;
    }

    int n_;
    cuda_buffer<float> from_, to_;
    convolution_shape shape_{};
};

} // namespace

std::unique_ptr<kernel_entrant<float>> make_cuda_convolution(std::size_t n, int width)
{
    return std::make_unique<cuda_convolution>(n, width);
}

} // namespace bench
