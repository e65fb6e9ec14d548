// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/items/task_call.hpp"

#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace skelrt
{

namespace detail
{

template <device Kind, class F>
struct kernel_way {
    static constexpr device kind = Kind;
    F function;
};

template <class Way>
inline constexpr bool is_kernel_way = false;
template <device Kind, class F>
inline constexpr bool is_kernel_way<kernel_way<Kind, F>> = true;

} // namespace detail

/// Implementations of one operation, for sk::kernel. On a core: f(parts and values as sk::task lists them). A part is
/// taken as sk::block<T>, std::span<T> or T& (const T where it is only read). It has one core: OpenMP regions and
/// BLAS's own threads in it would compete with other tasks.
template <class F>
auto on_cpu(F f)
{
    return detail::kernel_way<device::cpu, F>{std::move(f)};
}
/// For CUDA: a host function f(sk::cuda_stream, parts and values ...). It enqueues in that stream, does not wait, and
/// calls what it likes: cuBLAS, cuSOLVER, cuFFT, kernels of the user's own. Pointers are those of the GPU's memory.
template <class F>
auto on_cuda(F f)
{
    return detail::kernel_way<device::cuda, F>{std::move(f)};
}
/// For OpenCL: a host function f(sk::opencl_queue, parts and values ...), which enqueues in that queue. A part is taken
/// as sk::cl_block<T>.
template <class F>
auto on_opencl(F f)
{
    return detail::kernel_way<device::opencl, F>{std::move(f)};
}

/// One operation with an implementation for each kind of device that has one, and the times that were learnt of it.
/// Copies are the same operation. Usually a static object:
///
///     static const sk::kernel gemm(
///         "gemm", sk::on_cpu([](sk::block<const double> a, ...) { ... }),
///         sk::on_cuda([](sk::cuda_stream s, sk::block<const double> a, ...) { ... }));
///
/// Lifetime: may go while tasks of it are under way. Thread safety: any thread may make tasks of it.
template <class... Ways>
class kernel
{
    static_assert(
        sizeof...(Ways) > 0 && (detail::is_kernel_way<Ways> && ...),
        "skelrt: an sk::kernel has a name and implementations: sk::on_cpu(f), sk::on_cuda(f), sk::on_opencl(f)");

public:
    /// `name`: for messages and traces, and what models are kept under. Throws error if it is empty.
    explicit kernel(const std::string& name, Ways... ways)
        : record_(&detail::record_of_kernel(name, device_set::from_bits((static_cast<unsigned>(Ways::kind) | ...)))),
          ways_(std::make_shared<std::tuple<Ways...>>(std::move(ways)...))
    {
    }

    /// For the library.
    detail::kernel_record& record() const noexcept { return *record_; }
    const std::shared_ptr<std::tuple<Ways...>>& ways() const noexcept { return ways_; }

private:
    detail::kernel_record* record_;
    std::shared_ptr<std::tuple<Ways...>> ways_;
};

} // namespace skelrt
