// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/kernels/rivals.hpp"
#include "src/bench/shared/cuda_entrant.hpp"

namespace bench
{
namespace
{

constexpr int edge = 32, rows_at_once = 8, rows_of_a_thread = edge / rows_at_once;

/// A square of `a` is read row by row into shared memory, and added row by row to its place in `b`.
__global__ void __launch_bounds__(edge* rows_at_once)
    add_transposed(const double* __restrict__ a, double* __restrict__ b, int n)
{
    __shared__ double square[edge][edge + 1]; // columns begin in different banks
    const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
    const int row = static_cast<int>(blockIdx.y) * edge, col = static_cast<int>(blockIdx.x) * edge;
    double old[rows_of_a_thread]; // on its way while the square is
#pragma unroll
    for (int k = 0; k < rows_of_a_thread; ++k) {
        const int r = y + k * rows_at_once;
        if (col + r < n && row + x < n) square[r][x] = a[static_cast<std::size_t>(col + r) * n + row + x];
        if (row + r < n && col + x < n) old[k] = b[static_cast<std::size_t>(row + r) * n + col + x];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < rows_of_a_thread; ++k) {
        const int r = y + k * rows_at_once;
        if (row + r < n && col + x < n) b[static_cast<std::size_t>(row + r) * n + col + x] = old[k] + square[x][r];
    }
}

constexpr unsigned incrementers = 256, pairs_of_a_thread = 2;

__global__ void __launch_bounds__(incrementers) increment(double* a, std::size_t n)
{
    const std::size_t first = std::size_t{blockIdx.x} * incrementers * pairs_of_a_thread + threadIdx.x;
    auto* const pairs = reinterpret_cast<double2*>(a);
    double2 value[pairs_of_a_thread];
#pragma unroll
    for (unsigned k = 0; k < pairs_of_a_thread; ++k)
        if (first + k * incrementers < n / 2) value[k] = pairs[first + k * incrementers];
#pragma unroll
    for (unsigned k = 0; k < pairs_of_a_thread; ++k)
        if (first + k * incrementers < n / 2) pairs[first + k * incrementers] = {value[k].x + 1, value[k].y + 1};
    if (first == 0 && n % 2 == 1) a[n - 1] += 1;
}

class cuda_transposed_sum : public cuda_entrant<kernel_entrant<double>>
{
public:
    explicit cuda_transposed_sum(std::size_t n) : n_(n), a_(n * n), b_(n * n) {}
    void begin_anew() override
    {
        a_.write(made<double>(n_ * n_, added_value));
        b_.clear();
    }
    void launch() override
    {
        const unsigned squares = blocks_for(n_, edge);
        add_transposed<<<dim3(squares, squares), dim3(edge, rows_at_once), 0, stream_>>>(a_.data(), b_.data(),
                                                                                         static_cast<int>(n_));
        increment<<<blocks_for(n_ * n_, 2 * incrementers * pairs_of_a_thread), incrementers, 0, stream_>>>(a_.data(),
                                                                                                           n_ * n_);
        launched();
    }
    std::vector<double> result() override { return b_.read(); }

private:
    std::size_t n_;
    cuda_buffer<double> a_, b_;
};

} // namespace

std::unique_ptr<kernel_entrant<double>> make_cuda_transposed_sum(std::size_t n)
{
    return std::make_unique<cuda_transposed_sum>(n);
}

} // namespace bench
