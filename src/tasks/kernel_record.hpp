// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/model/times/model.hpp"
#include "src/tasks/costs/likely_times.hpp"

#include <skelrt/detail/items/task_call.hpp>

#include <starpu.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

namespace skelrt::detail
{

/// What StarPU calls for tasks.
struct task_functions {
    double (*cost_us)(starpu_task*, starpu_perfmodel_arch*, unsigned);
    starpu_cpu_func_t on_cpu;
    starpu_cuda_func_t on_cuda;     ///< null: there is none in this build
    starpu_opencl_func_t on_opencl; ///< null: likewise
};

/// An operation: its name, for StarPU its codelet, and the key of its models.
///
/// Lifetime: as long as the process, for StarPU keeps pointers to it. Thread-safe.
class kernel_record
{
public:
    /// `how`: what StarPU calls.
    kernel_record(std::string name, device_set implementations, const task_functions& how);
    kernel_record(const kernel_record&) = delete;
    kernel_record& operator=(const kernel_record&) = delete;

    const std::string& name() const noexcept { return name_; }
    model_key model() const noexcept { return {key_, name_}; }
    device_set implementations() const noexcept { return implementations_; }
    starpu_codelet& codelet() noexcept { return codelet_; }

    /// What is known of so much work there; none: nobody knows yet.
    std::optional<estimate> measured(const runner& who, double work) const;
    /// What the last task took that was timed, wherever; 0: none was. For who has no choice and need not ask models.
    double last_us() const noexcept { return last_us_.load(std::memory_order_relaxed); }
    void note_us(double us) noexcept;
    /// For tasks that go where nobody would send them, so that times become known.
    trial_budget& trials() noexcept { return trials_; }
    /// Whether nobody was warned yet that it does not run there.
    bool note_warning(device kind) noexcept { return !warned_[static_cast<std::size_t>(kind)].exchange(true); }
    /// Whether this run is to be timed: the first ones on a kind of device, then one of eight, by chance. Those that
    /// are not count as the last that was.
    bool is_to_be_timed(device kind) noexcept;

private:
    const std::string name_, symbol_;
    const std::uint64_t key_;
    const device_set implementations_;
    starpu_perfmodel costs_{};
    starpu_codelet codelet_{};
    std::array<std::atomic<bool>, 8> warned_{}; ///< by the kind's bit
    // All workers write what follows, and read what stands before.
    alignas(64) std::array<std::atomic<unsigned>, 8> runs_{}; ///< likewise
    trial_budget trials_;
    std::atomic<double> last_us_{0};
};

} // namespace skelrt::detail
