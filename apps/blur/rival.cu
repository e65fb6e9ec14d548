// SPDX-License-Identifier: BSD-3-Clause
// The rivals: Gaussian filters by hand, as one writes them for a GPU. Weights are kernel parameters, so they lie in
// constant memory and need no registers.
//   along rows     a block stages its part of four rows in shared memory; a thread computes four neighbours from seven
//                  16-byte reads
//   down columns   a thread computes sixteen elements of its column; every element that it loads goes into all sums
//                  that want it, and the rows that neighbours share come from the L2 cache
//   dense          a block stages a square with its edge in shared memory; a thread computes eight elements of a
//                  column, one column of weights after the other, so that each read goes into up to eight sums
#include "rival.hpp"

#include "apps/shared/rival.cuh"

#include <memory>
#include <vector>

namespace blur::rival
{
namespace
{

constexpr int radius = 9, taps = 2 * radius + 1;

struct weights {
    float w[taps];
};

__device__ inline int within(int i, int n) { return min(max(i, 0), n - 1); }

constexpr int row_outputs = 4, row_threads = 64, row_lines = 4;
constexpr int row_width = row_threads * row_outputs; // of a block
constexpr int row_lead = 12;                         // the radius, rounded up to 16 bytes
constexpr int row_staged = row_width + 2 * row_lead;

__global__ void __launch_bounds__(row_threads* row_lines)
    along_rows(float* __restrict__ to, const float* __restrict__ from, int rows, int cols, const __grid_constant__ weights g)
{
    __shared__ __align__(16) float staged[row_lines][row_staged];
    const int row = blockIdx.y * row_lines + threadIdx.y, first = blockIdx.x * row_width;
    const bool there = row < rows;
    const float* const line = from + static_cast<size_t>(there ? row : 0) * cols;
    float* const mine = staged[threadIdx.y];
    const bool whole = cols % 4 == 0 && first >= row_lead && first + row_width + row_lead <= cols;
    for (int i = threadIdx.x * 4; i < row_staged; i += row_threads * 4) {
        if (whole) {
            *reinterpret_cast<float4*>(mine + i) = *reinterpret_cast<const float4*>(line + first - row_lead + i);
        } else {
            for (int k = 0; k < 4; ++k) mine[i + k] = line[within(first - row_lead + i + k, cols)];
        }
    }
    __syncthreads();
    if (!there) return;
    float x[row_outputs + 2 * row_lead];
#pragma unroll
    for (int i = 0; i < row_outputs + 2 * row_lead; i += 4) {
        const float4 v = *reinterpret_cast<const float4*>(mine + threadIdx.x * row_outputs + i);
        x[i] = v.x, x[i + 1] = v.y, x[i + 2] = v.z, x[i + 3] = v.w;
    }
    float sum[row_outputs] = {};
#pragma unroll
    for (int k = 0; k < taps; ++k)
#pragma unroll
        for (int j = 0; j < row_outputs; ++j) sum[j] = fmaf(g.w[k], x[row_lead - radius + j + k], sum[j]);
    const int col = first + threadIdx.x * row_outputs;
    float* const out = to + static_cast<size_t>(row) * cols + col;
    if (cols % 4 == 0) {
        if (col < cols) *reinterpret_cast<float4*>(out) = make_float4(sum[0], sum[1], sum[2], sum[3]);
    } else {
#pragma unroll
        for (int j = 0; j < row_outputs; ++j)
            if (col + j < cols) out[j] = sum[j];
    }
}

constexpr int column_outputs = 16, column_threads = 128;

__global__ void __launch_bounds__(column_threads)
    down_columns(float* __restrict__ to, const float* __restrict__ from, int rows, int cols,
                 const __grid_constant__ weights g)
{
    const int col = blockIdx.x * column_threads + threadIdx.x, first = blockIdx.y * column_outputs;
    if (col >= cols) return;
    float sum[column_outputs] = {};
#pragma unroll
    for (int i = 0; i < column_outputs + 2 * radius; ++i) {
        const float x = from[static_cast<size_t>(within(first - radius + i, rows)) * cols + col];
#pragma unroll
        for (int j = 0; j < column_outputs; ++j)
            if (i - j >= 0 && i - j < taps) sum[j] = fmaf(g.w[i - j], x, sum[j]);
    }
#pragma unroll
    for (int j = 0; j < column_outputs; ++j)
        if (first + j < rows) to[static_cast<size_t>(first + j) * cols + col] = sum[j];
}

constexpr int dense_outputs = 8, dense_cols = 32, dense_lines = 8;
constexpr int dense_rows = dense_lines * dense_outputs; // of a block
constexpr int dense_width = dense_cols + 2 * radius;

__global__ void __launch_bounds__(dense_cols* dense_lines)
    dense(float* __restrict__ to, const float* __restrict__ from, int rows, int cols, const __grid_constant__ weights g)
{
    __shared__ float staged[dense_rows + 2 * radius][dense_width];
    const int left = blockIdx.x * dense_cols - radius, top = blockIdx.y * dense_rows - radius;
    for (int row = threadIdx.y; row < dense_rows + 2 * radius; row += dense_lines) {
        const float* const line = from + static_cast<size_t>(within(top + row, rows)) * cols;
        for (int col = threadIdx.x; col < dense_width; col += dense_cols)
            staged[row][col] = line[within(left + col, cols)];
    }
    __syncthreads();
    const int first = threadIdx.y * dense_outputs;
    float sum[dense_outputs] = {};
#pragma unroll 1
    for (int j = 0; j < taps; ++j) {
        float column[dense_outputs] = {};
#pragma unroll
        for (int i = 0; i < dense_outputs + 2 * radius; ++i) {
            const float x = staged[first + i][threadIdx.x + j];
#pragma unroll
            for (int k = 0; k < dense_outputs; ++k)
                if (i - k >= 0 && i - k < taps) column[k] = fmaf(g.w[i - k], x, column[k]);
        }
        const float weight = g.w[j];
#pragma unroll
        for (int k = 0; k < dense_outputs; ++k) sum[k] = fmaf(weight, column[k], sum[k]);
    }
    const int col = left + radius + threadIdx.x;
    if (col >= cols) return;
#pragma unroll
    for (int k = 0; k < dense_outputs; ++k) {
        const int row = top + radius + first + k;
        if (row < rows) to[static_cast<size_t>(row) * cols + col] = sum[k];
    }
}

unsigned divided_up(std::size_t a, int b) { return static_cast<unsigned>((a + b - 1) / b); }

void filter(const problem& p, float* to, float* between, const float* from)
{
    weights g;
    for (int k = 0; k < taps; ++k) g.w[k] = p.weights[k];
    const int rows = static_cast<int>(p.rows), cols = static_cast<int>(p.cols);
    if (p.dense) {
        dense<<<dim3(divided_up(p.cols, dense_cols), divided_up(p.rows, dense_rows)), dim3(dense_cols, dense_lines)>>>(
            to, from, rows, cols, g);
    } else {
        along_rows<<<dim3(divided_up(p.cols, row_width), divided_up(p.rows, row_lines)),
                     dim3(row_threads, row_lines)>>>(between, from, rows, cols, g);
        down_columns<<<dim3(divided_up(p.cols, column_threads), divided_up(p.rows, column_outputs)), column_threads>>>(
            to, between, rows, cols, g);
    }
}

/// Source, results of odd and even filterings, and what lies between the two passes.
struct memory {
    apps::rival::buffer source, first, second, between;
    explicit memory(std::size_t bytes) : source(bytes), first(bytes), second(bytes), between(bytes) {}
    bool there() const { return source.data && first.data && second.data && between.data; }
};

} // namespace

const char* run(const problem& p, int untimed, int repeat, double* seconds, const float* const* planes,
                float* const* values)
{
    if (const char* why = apps::rival::no_gpu()) return why;
    const std::size_t bytes = p.rows * p.cols * sizeof(float);
    std::vector<std::unique_ptr<memory>> all;
    for (int c = 0; c < p.planes; ++c) {
        all.push_back(std::make_unique<memory>(bytes));
        if (!all.back()->there()) return "the GPU has too little memory left";
        const cudaError_t status = cudaMemcpy(all.back()->source.data, planes[c], bytes, cudaMemcpyHostToDevice);
        if (status != cudaSuccess) return cudaGetErrorString(status);
    }
    cudaError_t status = apps::rival::time_runs(untimed, repeat, seconds, [&] {
        for (int k = 0; k < p.times; ++k)
            for (const auto& m : all) {
                const auto &to = k % 2 == 0 ? m->first : m->second, &from = k % 2 == 0 ? m->second : m->first;
                filter(p, to.as<float>(), m->between.as<float>(), (k == 0 ? m->source : from).as<float>());
            }
    });
    for (int c = 0; c < p.planes && status == cudaSuccess; ++c) {
        const auto& m = *all[static_cast<std::size_t>(c)];
        status = cudaMemcpy(values[c], (p.times % 2 == 1 ? m.first : m.second).data, bytes, cudaMemcpyDeviceToHost);
    }
    return apps::rival::text_of(status);
}

} // namespace blur::rival
