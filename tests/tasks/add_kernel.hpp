// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/skelrt.hpp>

/// x += k and x += the first element of a, for all kinds of device.
namespace add_kernel
{

namespace sk = skelrt;

inline void add_all(sk::block<int> x, int k)
{
    for (std::size_t r = 0; r < x.rows(); ++r)
        for (std::size_t c = 0; c < x.cols(); ++c) x(r, c) += k;
}

inline const auto& add_number()
{
    static const sk::kernel k("add number", sk::on_cpu([](sk::block<int> x, int n) { add_all(x, n); }),
                              sk::on_cuda(sk::cuda_text(R"(
typedef unsigned long long size;
extern "C" __global__ void add_number(int* x, size rows, size cols, size ld, int k)
{
    const size i = blockIdx.x * (size)blockDim.x + threadIdx.x;
    if (i < rows * cols) x[i / cols * ld + i % cols] += k;
}
)",
                                                        "add_number")),
                              sk::on_opencl(sk::opencl_text(R"(
__kernel void add_number(__global int* x, ulong offset, ulong rows, ulong cols, ulong ld, int k)
{
    const ulong i = get_global_id(0);
    if (i < rows * cols) x[offset + i / cols * ld + i % cols] += k;
}
)",
                                                            "add_number")));
    return k;
}

inline const auto& add_first()
{
    static const sk::kernel k("add first",
                              sk::on_cpu([](sk::block<const int> a, sk::block<int> x) { add_all(x, a(0, 0)); }),
                              sk::on_cuda(sk::cuda_text(R"(
typedef unsigned long long size;
extern "C" __global__ void add_first(const int* a, size, size, size, int* x, size rows, size cols, size ld)
{
    const size i = blockIdx.x * (size)blockDim.x + threadIdx.x;
    if (i < rows * cols) x[i / cols * ld + i % cols] += a[0];
}
)",
                                                        "add_first")),
                              sk::on_opencl(sk::opencl_text(R"(
__kernel void add_first(__global const int* a, ulong a_offset, ulong a_rows, ulong a_cols, ulong a_ld,
                        __global int* x, ulong offset, ulong rows, ulong cols, ulong ld)
{
    const ulong i = get_global_id(0);
    if (i < rows * cols) x[offset + i / cols * ld + i % cols] += a[a_offset];
}
)",
                                                            "add_first")));
    return k;
}

} // namespace add_kernel
