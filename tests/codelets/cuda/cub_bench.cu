// SPDX-License-Identifier: BSD-3-Clause
// The same work by CUB: cub::DeviceTransform and cub::DeviceReduce over a transform iterator.
// nvcc -std=c++20 -O3 -arch=sm_90 cub_bench.cu -o cub_bench
#include "timing.hpp"

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_transform.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cuda/std/tuple>

template <class T>
struct triad {
    __device__ T operator()(T a, T b) const { return a + T(0.4) * b; }
};

template <class T>
struct product_at {
    const T *a, *b;
    __device__ T operator()(std::size_t i) const { return a[i] * b[i]; }
};

struct plus {
    template <class T>
    __device__ T operator()(T a, T b) const { return a + b; }
};

template <class T>
void bench(const std::string& type, double copy)
{
    using timing::elements;
    T *a = timing::zeros<T>(elements), *b = timing::zeros<T>(elements), *c = timing::zeros<T>(elements);
    const auto report = [&](const char* name, std::size_t operands, double ms) {
        std::printf("    %.3f of the copy\n", timing::report(name + (" " + type), operands * elements * sizeof(T), ms) / copy);
    };
    report("cub triad", 3, timing::milliseconds([&] {
        timing::check(cub::DeviceTransform::Transform(cuda::std::make_tuple(a, b), c, elements, triad<T>{}));
    }));

    const auto products = thrust::make_transform_iterator(thrust::counting_iterator<std::size_t>(0), product_at<T>{a, b});
    std::size_t bytes = 0;
    timing::check(cub::DeviceReduce::Reduce(nullptr, bytes, products, c, elements, plus{}, T(0)));
    char* scratch = timing::zeros<char>(bytes + 1);
    report("cub dot", 2, timing::milliseconds([&] {
        timing::check(cub::DeviceReduce::Reduce(scratch, bytes, products, c, elements, plus{}, T(0)));
    }));
    report("cub sum", 1, timing::milliseconds([&] {
        timing::check(cub::DeviceReduce::Reduce(scratch, bytes, a, c, elements, plus{}, T(0)));
    }));
    for (void* p : {static_cast<void*>(a), static_cast<void*>(b), static_cast<void*>(c), static_cast<void*>(scratch)})
        timing::check(cudaFree(p));
}

int main()
{
    const double copy = timing::copy_rate();
    bench<double>("f64", copy);
    bench<float>("f32", copy);
}
