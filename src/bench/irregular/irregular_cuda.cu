// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/irregular/rivals.hpp"
#include "src/bench/shared/cuda_entrant.hpp"

#include <cuda_runtime.h>
#if SKELRT_BENCH_CUSPARSE
#include <cusparse.h>
#endif

#include <stdexcept>
#include <string>
#include <vector>

namespace bench
{
namespace
{

constexpr unsigned threads = 256;
template <class T>
std::vector<double> doubles_of(const cuda_buffer<T>& from)
{
    const std::vector<T> all = from.read();
    return {all.begin(), all.end()};
}

__global__ void __launch_bounds__(threads)
    add_scattered(const float* x, const std::uint32_t* place, float* y, std::size_t n)
{
    const std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x;
    if (i < n) atomicAdd(y + place[i], x[i]);
}

class cuda_scatter : public cuda_entrant<irregular_entrant>
{
public:
    explicit cuda_scatter(std::size_t n)
        : n_(n), x_(made<float>(n, small_value)),
          place_(made<std::uint32_t>(n, [n](std::size_t i) { return place_of(i, n); })), y_(n)
    {
    }
    void begin_anew() override { y_.clear(); }
    void launch() override
    {
        add_scattered<<<blocks_for(n_, threads), threads, 0, stream_>>>(x_.data(), place_.data(), y_.data(), n_);
        launched();
    }
    std::vector<double> result() override { return doubles_of(y_); }

private:
    std::size_t n_;
    cuda_buffer<float> x_;
    cuda_buffer<std::uint32_t> place_;
    cuda_buffer<float> y_;
};

__global__ void __launch_bounds__(threads) update_table(unsigned long long* table, std::size_t n)
{
    const std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x;
    if (i < n) atomicAdd(table + place_of(i, n), static_cast<unsigned long long>(i));
}

class cuda_updates : public cuda_entrant<irregular_entrant>
{
public:
    explicit cuda_updates(std::size_t n) : n_(n), table_(n) {}
    void begin_anew() override { table_.clear(); }
    void launch() override
    {
        update_table<<<blocks_for(n_, threads), threads, 0, stream_>>>(table_.data(), n_);
        launched();
    }
    std::vector<double> result() override { return doubles_of(table_); }

private:
    std::size_t n_;
    cuda_buffer<unsigned long long> table_;
};

/// A histogram in each block's shared memory, and sums of its warps.
__global__ void __launch_bounds__(threads)
    collect(const float* x, std::size_t n, std::uint32_t* counts, double* sum, float* most)
{
    __shared__ std::uint32_t own[bins];
    for (unsigned i = threadIdx.x; i < bins; i += threads) own[i] = 0;
    __syncthreads();
    double mine = 0;
    float highest = 0;
    for (std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x; i < n; i += std::size_t{threads} * gridDim.x) {
        const float v = x[i];
        atomicAdd(own + static_cast<unsigned>(v * float(bins)), 1u);
        mine += v;
        highest = fmaxf(highest, v);
    }
    for (int lane = 16; lane > 0; lane /= 2) {
        mine += __shfl_down_sync(~0u, mine, lane);
        highest = fmaxf(highest, __shfl_down_sync(~0u, highest, lane));
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(sum, mine);
        atomicMax(reinterpret_cast<int*>(most), __float_as_int(highest)); // none is below 0
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < bins; i += threads)
        if (own[i] != 0) atomicAdd(counts + i, own[i]);
}

class cuda_sums : public cuda_entrant<irregular_entrant>
{
public:
    explicit cuda_sums(std::size_t n) : n_(n), x_(made<float>(n, loose_value)), counts_(bins), sum_(1), most_(1)
    {
        int device = 0;
        cuda_check(cudaGetDevice(&device));
        cuda_check(cudaDeviceGetAttribute(&units_, cudaDevAttrMultiProcessorCount, device));
    }
    void begin_anew() override { counts_.clear(), sum_.clear(), most_.clear(); }
    void launch() override
    {
        collect<<<static_cast<unsigned>(8 * units_), threads, 0, stream_>>>(x_.data(), n_, counts_.data(), sum_.data(),
                                                                             most_.data());
        launched();
    }
    std::vector<double> result() override
    {
        std::vector<double> all = doubles_of(counts_);
        all.push_back(sum_.read()[0]);
        all.push_back(most_.read()[0]);
        return all;
    }

private:
    std::size_t n_;
    int units_ = 0;
    cuda_buffer<float> x_;
    cuda_buffer<std::uint32_t> counts_;
    cuda_buffer<double> sum_;
    cuda_buffer<float> most_;
};

#if SKELRT_BENCH_CUSPARSE
void check(cusparseStatus_t status)
{
    if (status != CUSPARSE_STATUS_SUCCESS)
        throw std::runtime_error(std::string("rival in CUDA: ") + cusparseGetErrorString(status));
}

class cusparse_product : public cuda_entrant<irregular_entrant>
{
public:
    explicit cusparse_product(std::size_t n) : cusparse_product(n, sparse_rows(n)) {}
    ~cusparse_product() override
    {
        cudaFree(room_);
        cusparseDestroySpMat(a_);
        cusparseDestroyDnVec(x_);
        cusparseDestroyDnVec(y_);
        cusparseDestroy(library_);
    }
    void begin_anew() override {}
    void launch() override
    {
        check(cusparseSpMV(library_, CUSPARSE_OPERATION_NON_TRANSPOSE, &one_, a_, x_, &zero_, y_, CUDA_R_64F,
                           CUSPARSE_SPMV_ALG_DEFAULT, room_));
    }
    std::vector<double> result() override { return results_.read(); }

private:
    cusparse_product(std::size_t n, const sparse_rows& rows)
        : begin_(rows.begin), column_(rows.column), value_(rows.value), operand_(made<double>(n, vector_value)),
          results_(n)
    {
        const auto size = static_cast<std::int64_t>(n), entries = static_cast<std::int64_t>(rows.column.size());
        check(cusparseCreate(&library_));
        check(cusparseSetStream(library_, stream_));
        check(cusparseCreateCsr(&a_, size, size, entries, begin_.data(), column_.data(), value_.data(),
                                CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
        check(cusparseCreateDnVec(&x_, size, operand_.data(), CUDA_R_64F));
        check(cusparseCreateDnVec(&y_, size, results_.data(), CUDA_R_64F));
        std::size_t bytes = 0;
        check(cusparseSpMV_bufferSize(library_, CUSPARSE_OPERATION_NON_TRANSPOSE, &one_, a_, x_, &zero_, y_,
                                      CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
        cuda_check(cudaMalloc(&room_, bytes));
    }

    double one_ = 1, zero_ = 0;
    cuda_buffer<std::uint32_t> begin_, column_;
    cuda_buffer<double> value_, operand_, results_;
    cusparseHandle_t library_ = nullptr;
    cusparseSpMatDescr_t a_ = nullptr;
    cusparseDnVecDescr_t x_ = nullptr, y_ = nullptr;
    void* room_ = nullptr;
};
#endif

} // namespace

std::unique_ptr<irregular_entrant> make_cuda_irregular(irregular what, std::size_t n)
{
    switch (what) {
    case irregular::product:
#if SKELRT_BENCH_CUSPARSE
        return std::make_unique<cusparse_product>(n);
#else
        return nullptr;
#endif
    case irregular::scatter:
        return std::make_unique<cuda_scatter>(n);
    case irregular::updates:
        return std::make_unique<cuda_updates>(n);
    case irregular::sums:
        break;
    }
    return std::make_unique<cuda_sums>(n);
}

} // namespace bench
