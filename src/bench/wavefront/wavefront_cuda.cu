// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/shared/cuda_check.hpp"
#include "src/bench/wavefront/wavefront_rivals.hpp"

#include <vector>

/// A tile a block, a thread a row of it, the tile in shared memory; a launch for each antidiagonal of tiles.
namespace bench
{
namespace
{

constexpr int tile = 64;

template <class Problem>
__global__ void __launch_bounds__(tile)
    fill_tiles(typename Problem::value* table, const char* a, const char* b, int n, int diagonal, int first)
{
    using value = typename Problem::value;
    __shared__ value t[tile + 1][tile + 2];
    const std::size_t ld = n + 1;
    const int down = first + blockIdx.x, r0 = down * tile, c0 = (diagonal - down) * tile, mine = threadIdx.x;
    const int rows = min(tile, n - r0), cols = min(tile, n - c0);
    for (int c = mine; c <= cols; c += tile) t[0][c] = table[r0 * ld + c0 + c];
    if (mine < rows) t[mine + 1][0] = table[(r0 + mine + 1) * ld + c0];
    const char letter = mine < rows ? a[r0 + mine] : 0;
    __syncthreads();
    for (int step = 0; step < rows + cols - 1; ++step) {
        const int c = step - mine;
        if (mine < rows && c >= 0 && c < cols)
            t[mine + 1][c + 1] = Problem{}(t[mine + 1][c], t[mine][c + 1], t[mine][c], letter, b[c0 + c]);
        __syncthreads();
    }
    for (int r = 0; r < rows; ++r)
        if (mine < cols) table[(r0 + r + 1) * ld + c0 + mine + 1] = t[r + 1][mine + 1];
}

template <class Problem>
class cuda_table : public wavefront_entrant<Problem>
{
    using value = typename Problem::value;

public:
    explicit cuda_table(std::size_t n) : n_(n), host_((n + 1) * (n + 1))
    {
        std::vector<char> a(n), b(n);
        for (std::size_t i = 0; i < n; ++i) {
            a[i] = wavefront_letter(i, 1);
            b[i] = wavefront_letter(i, 2);
        }
        for (std::size_t i = 0; i <= n; ++i) host_[i] = host_[i * (n + 1)] = value(i);
        cuda_check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        cuda_check(cudaMalloc(&table_, host_.size() * sizeof(value)));
        cuda_check(cudaMalloc(&a_, n));
        cuda_check(cudaMalloc(&b_, n));
        cuda_check(cudaMemcpy(table_, host_.data(), host_.size() * sizeof(value), cudaMemcpyHostToDevice));
        cuda_check(cudaMemcpy(a_, a.data(), n, cudaMemcpyHostToDevice));
        cuda_check(cudaMemcpy(b_, b.data(), n, cudaMemcpyHostToDevice));
    }
    ~cuda_table() override
    {
        cudaFree(table_);
        cudaFree(a_);
        cudaFree(b_);
        cudaStreamDestroy(stream_);
    }

    void launch() override
    {
        const int tiles = int((n_ + tile - 1) / tile);
        for (int d = 0; d + 1 < 2 * tiles; ++d) {
            const int first = d < tiles ? 0 : d - tiles + 1, last = d < tiles ? d : tiles - 1;
            fill_tiles<Problem><<<last - first + 1, tile, 0, stream_>>>(table_, a_, b_, int(n_), d, first);
        }
    }
    void wait() override
    {
        cuda_check(cudaGetLastError());
        cuda_check(cudaStreamSynchronize(stream_));
    }
    void look(const std::function<void(const std::function<const value*(std::size_t)>&)>& see) override
    {
        cuda_check(cudaMemcpy(host_.data(), table_, host_.size() * sizeof(value), cudaMemcpyDeviceToHost));
        see([this](std::size_t row) { return host_.data() + (row + 1) * (n_ + 1) + 1; });
    }

private:
    std::size_t n_;
    std::vector<value> host_;
    value* table_ = nullptr;
    char *a_ = nullptr, *b_ = nullptr;
    cudaStream_t stream_ = nullptr;
};

} // namespace

template <class Problem>
std::unique_ptr<wavefront_entrant<Problem>> make_cuda_wavefront(std::size_t n)
{
    return std::make_unique<cuda_table<Problem>>(n);
}
template std::unique_ptr<wavefront_entrant<synchronization>> make_cuda_wavefront(std::size_t);
template std::unique_ptr<wavefront_entrant<levenshtein>> make_cuda_wavefront(std::size_t);

} // namespace bench
