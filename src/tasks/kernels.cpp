// SPDX-License-Identifier: BSD-3-Clause
#include "src/config.hpp"
#include "src/tasks/costs/costs.hpp"
#include "src/tasks/kernel_record.hpp"
#include "src/tasks/run.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

/// The kernels of the process.
namespace skelrt::detail
{

namespace
{

constexpr task_functions functions
{
    &expected_task_us, &run_task_on_cpu,
#if SKELRT_HAVE_CUDA || SKELRT_SIMULATION
        &run_task_on_cuda,
#else
        nullptr,
#endif
#if SKELRT_HAVE_OPENCL
        &run_task_on_opencl,
#else
        nullptr,
#endif
};

/// Kernels of one name and the same implementations are one.
kernel_record& find_or_make(const std::string& name, device_set implementations)
{
    static std::mutex guard;
    static auto& all = *new std::map<std::pair<std::string, unsigned>, kernel_record>; // never destroyed
    const std::lock_guard lock(guard);
    const std::pair key(name, implementations.bits());
    return all.try_emplace(key, name, implementations, functions).first->second;
}

} // namespace

kernel_record& record_of_kernel(const std::string& name, device_set implementations)
{
    if (name.empty()) throw error("sk::kernel: it has no name; models are kept under it, and messages tell it");
    return find_or_make(name, implementations);
}

/// Named after its place, which is the same in every run.
kernel_record& record_of_function(const char* type, const caller& first)
{
    const std::string_view file(first.file);
    const auto folder = file.find_last_of('/');
    const std::string_view base = folder == std::string_view::npos ? file : file.substr(folder + 1);
    const std::string name = first.line > 0 ? fmt::format("({}:{})", base, first.line)
                                            : fmt::format("({:x})", std::hash<std::string_view>{}(type));
    return find_or_make(name, device::cpu);
}

} // namespace skelrt::detail
