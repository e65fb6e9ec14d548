// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/skelrt.hpp>

#include <cstddef>
#include <span>

/// For all kinds of device: kernels that work on memory of their tasks' own, private values and workspaces.
namespace own_memory_kernels
{

namespace sk = skelrt;

/// mine += all elements of x. One thread does it, for a private value has one element.
inline const auto& sum_into()
{
    static const sk::kernel k("sum into", sk::on_cpu([](sk::block<const int> x, int& mine) {
                                  for (std::size_t r = 0; r < x.rows(); ++r)
                                      for (std::size_t c = 0; c < x.cols(); ++c)
                                          mine = static_cast<int>(static_cast<unsigned>(mine) +
                                                                  static_cast<unsigned>(x(r, c)));
                              }),
                              sk::on_cuda(sk::cuda_text(R"(
typedef unsigned long long size;
extern "C" __global__ void sum_into(const int* x, size rows, size cols, size ld, int* mine, size, size, size)
{
    if (blockIdx.x > 0 || threadIdx.x > 0) return;
    for (size i = 0; i < rows * cols; ++i) *mine += x[i / cols * ld + i % cols];
}
)",
                                                        "sum_into")),
                              sk::on_opencl(sk::opencl_text(R"(
__kernel void sum_into(__global const int* x, ulong offset, ulong rows, ulong cols, ulong ld,
                       __global int* mine, ulong at, ulong mine_rows, ulong mine_cols, ulong mine_ld)
{
    if (get_global_id(0) > 0) return;
    for (ulong i = 0; i < rows * cols; ++i) mine[at] += x[offset + i / cols * ld + i % cols];
}
)",
                                                            "sum_into")));
    return k;
}

/// x += k, by way of a workspace of as many elements.
inline const auto& add_by_way()
{
    static const sk::kernel k("add by way", sk::on_cpu([](sk::block<int> x, std::span<int> room, int n) {
                                  for (std::size_t i = 0; i < x.size(); ++i)
                                      room[i] = x(i / x.cols(), i % x.cols()) + n;
                                  for (std::size_t i = 0; i < x.size(); ++i) x(i / x.cols(), i % x.cols()) = room[i];
                              }),
                              sk::on_cuda(sk::cuda_text(R"(
typedef unsigned long long size;
extern "C" __global__ void add_by_way(int* x, size rows, size cols, size ld, int* room, size, size, size, int k)
{
    const size i = blockIdx.x * (size)blockDim.x + threadIdx.x;
    if (i >= rows * cols) return;
    room[i] = x[i / cols * ld + i % cols] + k;
    x[i / cols * ld + i % cols] = room[i];
}
)",
                                                        "add_by_way")),
                              sk::on_opencl(sk::opencl_text(R"(
__kernel void add_by_way(__global int* x, ulong offset, ulong rows, ulong cols, ulong ld,
                         __global int* room, ulong room_offset, ulong room_rows, ulong room_cols, ulong room_ld, int k)
{
    const ulong i = get_global_id(0);
    if (i >= rows * cols) return;
    room[room_offset + i] = x[offset + i / cols * ld + i % cols] + k;
    x[offset + i / cols * ld + i % cols] = room[room_offset + i];
}
)",
                                                            "add_by_way")));
    return k;
}

} // namespace own_memory_kernels
