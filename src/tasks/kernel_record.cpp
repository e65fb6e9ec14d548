// SPDX-License-Identifier: BSD-3-Clause
#include "src/tasks/kernel_record.hpp"

#include "src/lowering/engine.hpp"
#include "src/model/knowledge.hpp"

#include <fmt/format.h>

#include <random>
#include <string_view>
#include <utility>

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

/// True once in so many times, by chance: no counter that all workers write, and no rhythm that tasks could have, too.
bool is_one_of(unsigned n) noexcept
{
    thread_local std::minstd_rand chance(static_cast<unsigned>(starpu_worker_get_id() + 2));
    return chance() % n == 0;
}

} // namespace

kernel_record::kernel_record(std::string name, device_set implementations, const task_functions& how)
    : name_(std::move(name)), symbol_(fmt::format("skelrt_task_{:016x}", hash_of(name_))),
      key_(hash_of("sk::task " + name_)), implementations_(implementations)
{
    costs_.symbol = symbol_.c_str();
    costs_.type = STARPU_PER_ARCH;
    costs_.arch_cost_function = how.cost_us;
    starpu_codelet_init(&codelet_);
    codelet_.name = name_.c_str();
    codelet_.model = &costs_;
    codelet_.nbuffers = STARPU_VARIABLE_NBUFFERS;
    codelet_.cuda_flags[0] = STARPU_CUDA_ASYNC;
    codelet_.opencl_flags[0] = STARPU_OPENCL_ASYNC;
    if (implementations.has(device::cpu)) codelet_.cpu_funcs[0] = how.on_cpu;
    if (implementations.has(device::cuda)) codelet_.cuda_funcs[0] = how.on_cuda;
    if (implementations.has(device::opencl)) codelet_.opencl_funcs[0] = how.on_opencl;
}

std::optional<estimate> kernel_record::measured(const runner& who, double work) const
{
    return engine::current()->learnt.models.measured(model(), who, static_cast<std::size_t>(work));
}

void kernel_record::note_us(double us) noexcept
{
    last_us_.store(us, std::memory_order_relaxed);
    trials_.note_spent(us);
}

bool kernel_record::is_to_be_timed(device kind) noexcept
{
    constexpr unsigned first = 16, each = 8;
    std::atomic<unsigned>& runs = runs_[static_cast<std::size_t>(kind)];
    if (runs.load(std::memory_order_relaxed) < first) {
        runs.fetch_add(1, std::memory_order_relaxed);
        return true;
    }
    if (!is_one_of(each)) return false;
    trials_.note_spent((each - 1) * last_us()); // the others: workers would meet there at the end of each
    return true;
}

} // namespace skelrt::detail
