// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/block.hpp>
#include <skelrt/kernel.hpp>
#include <skelrt/kernel_text.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>

/// Products, solves and factorisations of row-major blocks, for the kernels of tasks; T: float or double. The same
/// functions for each kind of device. Of triangles and symmetric blocks only the lower half is read and written.
namespace apps::blas
{

using skelrt::block;
using skelrt::cuda_stream;
using skelrt::opencl_text;

/// By OpenBLAS with one thread, or by plain loops where the program was built without it.
namespace cpu
{

/// c = c - a b^T.
template <class T>
void subtract_product(block<const T> a, block<const T> b, block<T> c);
/// c = a b + beta c.
template <class T>
void product(block<const T> a, block<const T> b, block<T> c, T beta);
/// c = c - a a^T.
template <class T>
void syrk(block<const T> a, block<T> c);
/// b = b l^-T, l a lower triangle.
template <class T>
void trsm(block<const T> l, block<T> b);
/// a = l with l l^T = a. `info`: 0, or the order of the first leading minor that is not positive. `work`: not needed.
template <class T>
void potrf(block<T> a, block<T> work, int& info);
/// to = from, of the same size.
template <class T>
void copy(block<const T> from, block<T> to)
{
    for (std::size_t i = 0; i < to.rows(); ++i) std::copy_n(&from(i, 0), to.cols(), &to(i, 0));
}

} // namespace cpu

/// By cuBLAS and cuSOLVER, which are opened when they are first needed: programs are built and start without them. They
/// enqueue, and throw std::runtime_error for what the libraries refuse.
namespace cuda
{

template <class T>
void subtract_product(cuda_stream s, block<const T> a, block<const T> b, block<T> c);
template <class T>
void product(cuda_stream s, block<const T> a, block<const T> b, block<T> c, T beta);
template <class T>
void syrk(cuda_stream s, block<const T> a, block<T> c);
template <class T>
void trsm(cuda_stream s, block<const T> l, block<T> b);
/// Elements of `work` for a block of n rows.
template <class T>
std::size_t potrf_workspace(std::size_t n);
template <class T>
void potrf(cuda_stream s, block<T> a, block<T> work, const block<int>& info);
template <class T>
void copy(cuda_stream s, block<const T> from, block<T> to);

} // namespace cuda

/// As texts, without a library: right, and slow; potrf is done by one thread.
namespace opencl
{

template <class T>
opencl_text subtract_product();
template <class T>
opencl_text product();
template <class T>
opencl_text syrk();
template <class T>
opencl_text trsm();
template <class T>
opencl_text potrf();
template <class T>
opencl_text copy();

} // namespace opencl

/// A kernel for tasks, of one of these functions for each kind of device.
template <class T, class Cpu, class Cuda>
auto kernel_of(const std::string& name, Cpu* on_cpu, Cuda* on_cuda, const opencl_text& on_opencl)
{
    return skelrt::kernel(name + (std::is_same_v<T, float> ? " float" : " double"), skelrt::on_cpu(on_cpu),
                          skelrt::on_cuda(on_cuda), skelrt::on_opencl(on_opencl));
}

} // namespace apps::blas
