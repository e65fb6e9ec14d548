// SPDX-License-Identifier: BSD-3-Clause
#include "kinds.hpp"

#include "cuda_handles.hpp"

#include <skelrt/task.hpp>

#include <algorithm>
#include <cstdio>
#include <variant>
#include <vector>

#include <fmt/format.h>

namespace apps::blas
{
namespace
{

namespace sk = skelrt;

constexpr sk::device_set without_cuda = sk::device::cpu | sk::device::opencl;

/// A task for each GPU.
void make_handles(std::ptrdiff_t gpus)
{
    static const sk::kernel make("open cuBLAS",
                                 sk::on_cuda([](sk::cuda_stream s, sk::block<float>) { handles_of(s); }));
    std::vector<sk::future<std::monostate>> made;
    for (std::ptrdiff_t k = 0; k < gpus; ++k) made.push_back(sk::task(make, sk::scratch<float>(1)));
    for (const auto& m : made) m.get();
}

} // namespace

sk::device_set usable_kinds(const sk::runtime& rt)
{
    const auto all = rt.devices();
    const auto gpus = std::ranges::count(all, sk::device::cuda, &sk::device_info::kind);
    if (gpus == 0) return without_cuda;
    if (const std::string& missing = open_cuda_libraries().missing; !missing.empty()) {
        fmt::print(stderr, "no task runs with CUDA: {}\n", missing);
        return without_cuda;
    }
    make_handles(gpus);
    return sk::device_set::all();
}

} // namespace apps::blas
