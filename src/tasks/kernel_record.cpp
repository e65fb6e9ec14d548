#include "src/tasks/kernel_record.hpp"

#include "src/config.hpp"
#include "src/lowering/engine.hpp"
#include "src/model/knowledge.hpp"
#include "src/tasks/costs.hpp"
#include "src/tasks/run.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <deque>
#include <map>
#include <mutex>
#include <string_view>

namespace skelrt::detail
{

namespace
{

/// FNV-1a: the same in every run of every program.
std::uint64_t hash_of(std::string_view text) noexcept
{
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return hash;
}

} // namespace

kernel_record::kernel_record(std::string name, device_set implementations)
    : name_(std::move(name)), symbol_(fmt::format("skelrt_task_{:016x}", hash_of(name_))),
      key_(hash_of("sk::task " + name_)), implementations_(implementations)
{
    costs_.symbol = symbol_.c_str();
    costs_.type = STARPU_PER_ARCH;
    costs_.arch_cost_function = &expected_task_us;
    starpu_codelet_init(&codelet_);
    codelet_.name = name_.c_str();
    codelet_.model = &costs_;
    codelet_.nbuffers = STARPU_VARIABLE_NBUFFERS;
    codelet_.cuda_flags[0] = STARPU_CUDA_ASYNC;
    codelet_.opencl_flags[0] = STARPU_OPENCL_ASYNC;
    if (implementations.has(device::cpu)) codelet_.cpu_funcs[0] = &run_task_on_cpu;
#if SKELRT_HAVE_CUDA || SKELRT_SIMULATION
    if (implementations.has(device::cuda)) codelet_.cuda_funcs[0] = &run_task_on_cuda;
#endif
#if SKELRT_HAVE_OPENCL
    if (implementations.has(device::opencl)) codelet_.opencl_funcs[0] = &run_task_on_opencl;
#endif
}

std::optional<double> kernel_record::measured_us(const runner& who, double work) const
{
    const auto size = static_cast<std::size_t>(work);
    const auto known = engine::current()->learnt.models.measured(model(), who, size);
    if (!known) return std::nullopt;
    return known->at(size);
}

bool kernel_record::may_try(device kind) noexcept
{
    return tried_[static_cast<std::size_t>(kind)].fetch_add(1, std::memory_order_relaxed) < trials;
}

bool kernel_record::is_to_be_timed() noexcept
{
    constexpr unsigned first = 16, each = 8;
    const unsigned run = runs_.fetch_add(1, std::memory_order_relaxed);
    return run < first || run % each == 0;
}

namespace
{

/// Kernels of one name and the same implementations are one.
kernel_record& find_or_make(const std::string& name, device_set implementations)
{
    static std::mutex guard;
    static auto& all = *new std::map<std::pair<std::string, unsigned>, kernel_record>; // never destroyed
    const std::lock_guard lock(guard);
    return all.try_emplace(std::pair(name, implementations.bits()), name, implementations).first->second;
}

} // namespace

kernel_record& record_of_kernel(const std::string& name, device_set implementations)
{
    if (name.empty()) throw error("sk::kernel: it has no name; models are kept under it, and messages tell it");
    return find_or_make(name, implementations);
}

kernel_record& record_of_function(const char* type, const caller& first)
{
    const std::string_view file(first.file);
    const auto folder = file.find_last_of('/');
    const std::string_view base = folder == std::string_view::npos ? file : file.substr(folder + 1);
    return find_or_make(first.line > 0 ? fmt::format("({}:{})", base, first.line)
                                       : fmt::format("({:08x})", hash_of(type) & 0xffffffff),
                        device::cpu);
}

} // namespace skelrt::detail
