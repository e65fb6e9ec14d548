// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/shared/cuda_check.hpp"
#include "src/bench/streams/stream_arrays.hpp"

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_transform.cuh>
#include <cuda/std/functional>
#include <cuda/std/tuple>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/zip_function.h>

#include <limits>
#include <vector>

namespace bench
{
namespace
{

// ---- the operations -------------------------------------------------------------------------------------------------

template <class T>
struct same {
    __device__ T operator()(T x) const { return x; }
};
template <class T>
struct scaled {
    T s;
    __device__ T operator()(T x) const { return s * x; }
};
template <class T>
struct add_scaled {
    T s;
    __device__ T operator()(T x, T y) const { return x + s * y; }
};
template <class T>
struct product {
    __device__ T operator()(T x, T y) const { return x * y; }
};

// ---- by hand: 16 bytes a load, four loads of each operand in flight a thread ---------------------------------------

template <class T>
struct alignas(16) pack {
    static constexpr int width = 16 / sizeof(T);
    T v[width];
};
constexpr int block_size = 256, packs_per_thread = 4;

template <class T, class F, class... Packs>
__device__ pack<T> apply(F f, const Packs&... in)
{
    pack<T> out;
#pragma unroll
    for (int k = 0; k < pack<T>::width; ++k) out.v[k] = f(in.v[k]...);
    return out;
}

/// out[i] = f(in[i]...); the tail that fills no pack belongs to the first threads.
template <class T, class F, class... In>
__global__ void map_by_hand(std::size_t n, F f, T* out, const In*... in)
{
    const std::size_t packs = n / pack<T>::width;
    const std::size_t first = std::size_t(blockIdx.x) * block_size * packs_per_thread + threadIdx.x;
    pack<T> result[packs_per_thread];
#pragma unroll
    for (int k = 0; k < packs_per_thread; ++k) {
        const std::size_t i = first + k * block_size;
        if (i < packs) result[k] = apply<T>(f, reinterpret_cast<const pack<In>*>(in)[i]...);
    }
#pragma unroll
    for (int k = 0; k < packs_per_thread; ++k) {
        const std::size_t i = first + k * block_size;
        if (i < packs) reinterpret_cast<pack<T>*>(out)[i] = result[k];
    }
    const std::size_t tail = packs * pack<T>::width + first;
    if (tail < n) out[tail] = f(in[tail]...);
}

template <class T>
__device__ T block_sum(T x)
{
    __shared__ T warps[block_size / 32];
    for (int d = 16; d > 0; d /= 2) x += __shfl_down_sync(~0u, x, d);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = x;
    __syncthreads();
    x = threadIdx.x < block_size / 32 ? warps[threadIdx.x] : T(0);
    if (threadIdx.x < 32)
        for (int d = block_size / 64; d > 0; d /= 2) x += __shfl_down_sync(~0u, x, d);
    return x;
}

template <class T>
__global__ void dot_by_hand(std::size_t n, const T* a, const T* b, T* sums)
{
    const std::size_t packs = n / pack<T>::width, stride = std::size_t(gridDim.x) * block_size;
    const std::size_t thread = std::size_t(blockIdx.x) * block_size + threadIdx.x;
    T sum = 0;
#pragma unroll 4
    for (std::size_t i = thread; i < packs; i += stride) {
        const pack<T> x = reinterpret_cast<const pack<T>*>(a)[i], y = reinterpret_cast<const pack<T>*>(b)[i];
#pragma unroll
        for (int k = 0; k < pack<T>::width; ++k) sum += x.v[k] * y.v[k];
    }
    for (std::size_t i = packs * pack<T>::width + thread; i < n; i += stride) sum += a[i] * b[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

template <class T>
__global__ void sum_by_hand(int n, const T* sums, T* out)
{
    T sum = 0;
    for (int i = int(threadIdx.x); i < n; i += block_size) sum += sums[i];
    sum = block_sum(sum);
    if (threadIdx.x == 0) *out = sum;
}

template <class T>
__global__ void fill(std::size_t n, T* a, T* b, T* c, T poison)
{
    const std::size_t i = std::size_t(blockIdx.x) * block_size + threadIdx.x;
    if (i >= n) return;
    a[i] = pattern<T>(i);
    b[i] = c[i] = poison;
}

unsigned blocks_for(std::size_t items) { return static_cast<unsigned>((items + block_size - 1) / block_size); }

// ---- the arrays -----------------------------------------------------------------------------------------------------

template <class T>
class cuda_arrays : public stream_arrays<T>
{
public:
    cuda_arrays(cuda_way way, std::size_t n) : way_(way), n_(n)
    {
        cuda_check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        for (T** p : {&a_, &b_, &c_}) cuda_check(cudaMalloc(p, n * sizeof(T)));
        int device = 0, processors = 0;
        cuda_check(cudaGetDevice(&device));
        cuda_check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
        blocks_ = processors * (2048 / block_size);
        cuda_check(cudaMalloc(&sums_, std::size_t(blocks_ + 1) * sizeof(T)));
        cuda_check(reduce_with_cub(nullptr));
        cuda_check(cudaMalloc(&scratch_, scratch_bytes_));
    }

    ~cuda_arrays() override
    {
        for (void* p : {static_cast<void*>(a_), static_cast<void*>(b_), static_cast<void*>(c_),
                        static_cast<void*>(sums_), scratch_})
            cudaFree(p);
        cudaStreamDestroy(stream_);
    }

    bool has(kernel k) const override { return way_ == cuda_way::memcpy ? k == kernel::copy : k != kernel::chain; }

    void reset() override
    {
        fill<<<blocks_for(n_), block_size, 0, stream_>>>(n_, a_, b_, c_, std::numeric_limits<T>::quiet_NaN());
        wait();
    }

    void launch(kernel k) override
    {
        if (way_ == cuda_way::memcpy)
            cuda_check(cudaMemcpyAsync(c_, a_, n_ * sizeof(T), cudaMemcpyDeviceToDevice, stream_));
        else if (way_ == cuda_way::hand) launch_by_hand(k);
        else launch_with_cub(k);
        cuda_check(cudaGetLastError());
    }

    void wait() override { cuda_check(cudaStreamSynchronize(stream_)); }

    T dot_value() override
    {
        T value;
        cuda_check(cudaMemcpy(&value, sums_ + blocks_, sizeof value, cudaMemcpyDeviceToHost));
        return value;
    }

    void look(char array, const std::function<void(const T*)>& see) override
    {
        std::vector<T> copy(n_);
        const T* from = array == 'a' ? a_ : array == 'b' ? b_ : c_;
        cuda_check(cudaMemcpy(copy.data(), from, n_ * sizeof(T), cudaMemcpyDeviceToHost));
        see(copy.data());
    }

private:
    template <class F, class... In>
    void by_hand(F f, T* out, const In*... in)
    {
        const std::size_t threads = (n_ / pack<T>::width + packs_per_thread) / packs_per_thread;
        map_by_hand<T><<<blocks_for(threads), block_size, 0, stream_>>>(n_, f, out, in...);
    }

    void launch_by_hand(kernel k)
    {
        const T s = T(stream_scalar), q = T(saxpy_scalar);
        switch (k) {
        case kernel::copy:
            by_hand(same<T>{}, c_, a_);
            break;
        case kernel::mul:
            by_hand(scaled<T>{s}, b_, c_);
            break;
        case kernel::add:
            by_hand(cuda::std::plus<T>{}, c_, a_, b_);
            break;
        case kernel::triad:
            by_hand(add_scaled<T>{s}, a_, b_, c_);
            break;
        case kernel::saxpy:
            by_hand(add_scaled<T>{q}, b_, b_, a_);
            break;
        case kernel::dot:
            dot_by_hand<<<blocks_, block_size, 0, stream_>>>(n_, a_, b_, sums_);
            sum_by_hand<<<1, block_size, 0, stream_>>>(blocks_, sums_, sums_ + blocks_);
            break;
        case kernel::chain:
            break;
        }
    }

    void launch_with_cub(kernel k)
    {
        using cuda::std::make_tuple;
        const T s = T(stream_scalar), q = T(saxpy_scalar);
        switch (k) {
        case kernel::copy:
            cuda_check(cub::DeviceTransform::Transform(a_, c_, n_, same<T>{}, stream_));
            break;
        case kernel::mul:
            cuda_check(cub::DeviceTransform::Transform(c_, b_, n_, scaled<T>{s}, stream_));
            break;
        case kernel::add:
            cuda_check(cub::DeviceTransform::Transform(make_tuple(a_, b_), c_, n_, cuda::std::plus<T>{}, stream_));
            break;
        case kernel::triad:
            cuda_check(cub::DeviceTransform::Transform(make_tuple(b_, c_), a_, n_, add_scaled<T>{s}, stream_));
            break;
        case kernel::saxpy:
            cuda_check(cub::DeviceTransform::Transform(make_tuple(b_, a_), b_, n_, add_scaled<T>{q}, stream_));
            break;
        case kernel::dot:
            cuda_check(reduce_with_cub(scratch_));
            break;
        case kernel::chain:
            break;
        }
    }

    cudaError_t reduce_with_cub(void* scratch)
    {
        const auto both = thrust::make_zip_iterator(static_cast<const T*>(a_), static_cast<const T*>(b_));
        return cub::DeviceReduce::TransformReduce(scratch, scratch_bytes_, both, sums_ + blocks_, n_,
                                                  cuda::std::plus<T>{}, thrust::make_zip_function(product<T>{}), T(0),
                                                  stream_);
    }

    cuda_way way_;
    std::size_t n_, scratch_bytes_ = 0;
    cudaStream_t stream_ = nullptr;
    T *a_ = nullptr, *b_ = nullptr, *c_ = nullptr;
    T* sums_ = nullptr; ///< one per block, and behind them the result
    void* scratch_ = nullptr;
    int blocks_ = 0;
};

} // namespace

template <class T>
std::unique_ptr<stream_arrays<T>> make_cuda_arrays(cuda_way way, std::size_t n)
{
    return std::make_unique<cuda_arrays<T>>(way, n);
}
template std::unique_ptr<stream_arrays<float>> make_cuda_arrays(cuda_way, std::size_t);
template std::unique_ptr<stream_arrays<double>> make_cuda_arrays(cuda_way, std::size_t);

} // namespace bench
