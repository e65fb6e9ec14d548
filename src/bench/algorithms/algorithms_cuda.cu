// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/algorithms/rivals.hpp"
#include "src/bench/shared/cuda_check.hpp"

#include <cub/device/device_merge.cuh>
#include <cub/device/device_partition.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#include <vector>

namespace bench
{
namespace
{

struct adds {
    __host__ __device__ float operator()(float a, float b) const { return a + b; }
};
struct in_front {
    __host__ __device__ bool operator()(float v) const { return v < 0.5f; }
};

template <class T>
T* on_device(const std::vector<T>& from)
{
    T* to = nullptr;
    cuda_check(cudaMalloc(&to, from.size() * sizeof(T)));
    cuda_check(cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
    return to;
}

/// What all have: memory for results of n elements, a number of results, and what CUB asks for besides.
template <class T>
class cuda_entrant : public algorithm_entrant
{
public:
    explicit cuda_entrant(std::size_t n) : n_(n), results_(n)
    {
        cuda_check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        cuda_check(cudaMalloc(&y_, n * sizeof(T)));
        cuda_check(cudaMalloc(&count_, sizeof(std::size_t)));
        cuda_check(cudaMallocHost(&counted_, sizeof(std::size_t)));
    }
    ~cuda_entrant() override
    {
        for (void* p : {static_cast<void*>(y_), static_cast<void*>(count_), scratch_, keys_, values_}) cudaFree(p);
        cudaFreeHost(counted_);
        cudaStreamDestroy(stream_);
    }
    void launch() override
    {
        cuda_check(run(scratch_));
        if (!counts_) return;
        cuda_check(cudaMemcpyAsync(counted_, count_, sizeof(std::size_t), cudaMemcpyDeviceToHost, stream_));
        wait();
        results_ = *counted_;
    }
    void wait() override { cuda_check(cudaStreamSynchronize(stream_)); }
    void look(const std::function<void(const void*, std::size_t)>& see) override
    {
        std::vector<T> copy(results_);
        cuda_check(cudaMemcpy(copy.data(), y_, results_ * sizeof(T), cudaMemcpyDeviceToHost));
        see(copy.data(), copy.size());
    }

protected:
    virtual cudaError_t run(void* scratch) = 0;
    void make_scratch()
    {
        cuda_check(run(nullptr));
        cuda_check(cudaMalloc(&scratch_, scratch_bytes_));
    }
    void make_keys()
    {
        std::vector<int> keys(n_);
        int key = 0;
        for (std::size_t i = 0; i < n_; ++i) keys[i] = key += run_begins(i) ? 1 : 0;
        keys_ = on_device(keys);
    }
    template <class Value>
    void make_values(Value value)
    {
        std::vector<float> x(n_);
        for (std::size_t i = 0; i < n_; ++i) x[i] = value(i);
        values_ = on_device(x);
    }
    const int* keys() const { return static_cast<const int*>(keys_); }
    const float* values() const { return static_cast<const float*>(values_); }

    std::size_t n_, results_, scratch_bytes_ = 0;
    bool counts_ = false; ///< the host wants to know how many results there are
    cudaStream_t stream_ = nullptr;
    T* y_ = nullptr;
    std::size_t *count_ = nullptr, *counted_ = nullptr;
    void *scratch_ = nullptr, *keys_ = nullptr, *values_ = nullptr;
};

class cub_reduce_by_key : public cuda_entrant<float>
{
public:
    explicit cub_reduce_by_key(std::size_t n) : cuda_entrant(n)
    {
        counts_ = true;
        make_keys();
        make_values(small_value);
        cuda_check(cudaMalloc(&unique_, n * sizeof(int)));
        make_scratch();
    }
    ~cub_reduce_by_key() override { cudaFree(unique_); }

private:
    cudaError_t run(void* scratch) override
    {
        return cub::DeviceReduce::ReduceByKey(scratch, scratch_bytes_, keys(), unique_, values(), y_, count_, adds{},
                                              static_cast<long long>(n_), stream_);
    }
    int* unique_ = nullptr;
};

class cub_scan_by_key : public cuda_entrant<float>
{
public:
    explicit cub_scan_by_key(std::size_t n) : cuda_entrant(n)
    {
        make_keys();
        make_values(small_value);
        make_scratch();
    }

private:
    cudaError_t run(void* scratch) override
    {
        return cub::DeviceScan::InclusiveSumByKey(scratch, scratch_bytes_, keys(), values(), y_,
                                                  static_cast<unsigned>(n_), ::cuda::std::equal_to<>{}, stream_);
    }
};

class cub_unique : public cuda_entrant<int>
{
public:
    explicit cub_unique(std::size_t n) : cuda_entrant(n)
    {
        counts_ = true;
        make_keys();
        make_scratch();
    }

private:
    cudaError_t run(void* scratch) override
    {
        return cub::DeviceSelect::Unique(scratch, scratch_bytes_, keys(), y_, count_, static_cast<long long>(n_),
                                         stream_);
    }
};

/// CUB leaves the others in the opposite order: they are looked at from the end.
class cub_partition : public cuda_entrant<float>
{
public:
    explicit cub_partition(std::size_t n) : cuda_entrant(n)
    {
        counts_ = true;
        make_values(loose_value);
        make_scratch();
    }
    void look(const std::function<void(const void*, std::size_t)>& see) override
    {
        std::vector<float> copy(n_);
        cuda_check(cudaMemcpy(copy.data(), y_, n_ * sizeof(float), cudaMemcpyDeviceToHost));
        for (std::size_t first = results_, last = n_; first + 1 < last; ++first) std::swap(copy[first], copy[--last]);
        see(copy.data(), copy.size());
    }

private:
    cudaError_t run(void* scratch) override
    {
        return cub::DevicePartition::If(scratch, scratch_bytes_, values(), y_, count_, static_cast<long long>(n_),
                                        in_front{}, stream_);
    }
};

class cub_merge : public cuda_entrant<int>
{
public:
    explicit cub_merge(std::size_t n) : cuda_entrant(n)
    {
        std::vector<int> a(n / 2), b(n - n / 2);
        for (std::size_t i = 0; i < a.size(); ++i) a[i] = ascending_value(i, 0);
        for (std::size_t i = 0; i < b.size(); ++i) b[i] = ascending_value(i, 99);
        keys_ = on_device(a);
        values_ = on_device(b);
        make_scratch();
    }

private:
    cudaError_t run(void* scratch) override
    {
        const auto half = static_cast<long long>(n_ / 2);
        return cub::DeviceMerge::MergeKeys(scratch, scratch_bytes_, keys(), half, static_cast<const int*>(values_),
                                           static_cast<long long>(n_) - half, y_, ::cuda::std::less<>{}, stream_);
    }
};

class cub_sort : public cuda_entrant<float>
{
public:
    explicit cub_sort(std::size_t n) : cuda_entrant(n)
    {
        make_values(loose_value);
        make_scratch();
        results_ = how_many_of_the_top;
    }

private:
    cudaError_t run(void* scratch) override
    {
        return cub::DeviceRadixSort::SortKeysDescending(scratch, scratch_bytes_, values(), y_,
                                                        static_cast<long long>(n_), 0, 32, stream_);
    }
};

} // namespace

std::unique_ptr<algorithm_entrant> make_cuda_algorithm(algorithm what, std::size_t n)
{
    switch (what) {
    case algorithm::reduce_by_key:
        return std::make_unique<cub_reduce_by_key>(n);
    case algorithm::scan_by_key:
        return std::make_unique<cub_scan_by_key>(n);
    case algorithm::unique:
        return std::make_unique<cub_unique>(n);
    case algorithm::partition:
        return std::make_unique<cub_partition>(n);
    case algorithm::merge:
        return std::make_unique<cub_merge>(n);
    case algorithm::top_k:
        break;
    }
    return std::make_unique<cub_sort>(n);
}

} // namespace bench
