// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/model/machine/device_type.hpp"
#include "src/model/machine/machine.hpp"
#include "src/model/times/history.hpp"

#include <skelrt/detail/recipe.hpp>
#include <skelrt/runtime.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>

/// Time of a codelet on a kind of device against the number of elements, learnt from every run of this process and,
/// through store.hpp, of earlier ones.
namespace skelrt::detail
{

/// What runs the tasks that a planner gives to a device: the cores do them together.
inline executor executor_of(device kind) noexcept
{
    switch (kind) {
    case device::cuda:
        return executor::cuda;
    case device::opencl:
        return executor::opencl;
    default:
        return executor::team;
    }
}

/// What a model is of: a codelet on this. `type`: of a GPU that is not like the first of its kind, else null.
struct runner {
    executor on;
    const device_type* type;
    runner(executor e, const device_type* t = nullptr) noexcept : on(e), type(t) {} // NOLINT: executors are runners
};

/// The line through the runs near the asked size, or a guess.
struct estimate : line {
    bool measured =
        false; ///< false: a guess from the machine's peaks (machine.hpp), the bytes moved and the cost on one core

    /// Calls of this recipe since a run was last measured there; all of them if none was. An estimate that nobody uses
    /// is never put right: one unlucky run, and the device is idle for good. So a planner gives a device that it would
    /// leave idle a part of a call now and then. That costs time there minus time on the best; it is paid for when
    /// `stale` times the loss that the planner is ready to bear (1 % of a call, say) reaches it. Afterwards `stale` is
    /// 0.
    std::uint64_t stale = 0;

    /// Of this order of size. One or two may both be wild: who could do without measuring goes on until there are more.
    std::size_t runs = 0;
    bool sure() const noexcept { return runs >= 3; }
};

/// What a model is kept under: the same in every run of every program.
struct model_key {
    std::uint64_t key;
    std::string_view name; ///< for who reads the models
    model_key(std::uint64_t k, std::string_view n) noexcept : key(k), name(n) {}
    model_key(const recipe& r) noexcept : key(r.key), name(r.name) {} // NOLINT: recipes have models
};

/// Calls after which a kind that had no task counts as idle.
constexpr std::uint64_t long_idle = 16;

/// What is predicted for sizes near this one where a codelet has runs.
line line_of(const curve& runs, executor on, std::size_t elements);

/// Microseconds since 1970.
std::int64_t wall_clock_us() noexcept;

/// The models of all codelets. Any thread.
class models
{
public:
    /// Of the runtime that starts: what guesses are made from.
    void set_machine(detail::machine m);
    /// Before that it has no devices. Never null.
    std::shared_ptr<const detail::machine> machine() const noexcept;

    /// A run of `elements` took `us` microseconds, copies not counted. O(1).
    void observe(const model_key& r, const runner& who, std::size_t elements, double us) noexcept;
    /// The same of all cores together. A function's first run there in this process is cold: pages of its code, of
    /// stacks and heaps, threads that sleep. Where that may be most of it, nobody learns from it.
    void observe_team(const model_key& r, std::size_t elements, double us) noexcept;
    /// The same of a run that is right where earlier ones are not: these go.
    void correct(const model_key& r, const runner& who, std::size_t elements, double us) noexcept;
    /// A call of the recipe is about to be planned: what estimate::stale counts.
    void count_call(const recipe& r);

    /// `core_ns`: measured time of one element on one core, negative if unknown. `cores`: size of the team. From the
    /// runs of sizes around `elements`; one wild run does not move it (medians). Of a GPU that has no runs, but the
    /// first of its kind has, these, as many times as long as the peaks of both say. Below a microsecond.
    estimate predict(const recipe& r, const runner& who, std::size_t elements, double core_ns, unsigned cores) const;
    /// What runs say of so many elements there; none if they tell of fewer only.
    std::optional<double> measured_us(const model_key& r, const runner& who, std::size_t elements) const;

    /// What runs say of sizes near this one; none: there are no runs.
    std::optional<estimate> measured(const model_key& r, const runner& who, std::size_t elements) const;

    /// For policies that place task by task: whether a kind shall have a task of that call whatever its model says, for
    /// it had none for some calls and these have paid for it, 1 % of `call_us` each: what the try may cost is
    /// `loss_us`. Afterwards the next calls pay for the next try, whether or not the policy took the hint. The same
    /// call gets the same answer again. False for whatever ran less than `long_idle` calls ago.
    bool is_worth_a_try(const recipe& r, const runner& who, std::uint64_t call, double loss_us, double call_us);

    /// Everything that is known now, and how many runs were observed here.
    history runs(std::uint64_t* observed = nullptr) const;
    /// Adds runs, of earlier processes say. Those that are there already do not count twice.
    void learn(const history& from);
    void forget() noexcept;

private:
    struct codelet_model {
        codelet_runs known;
        std::uint64_t calls = 0;
        bool team_is_warm = false; ///< has had a run in this process
        std::array<std::uint64_t, all_executors.size()> calls_when_measured{}, calls_when_tried{};
        std::array<std::optional<std::uint64_t>, all_executors.size()>
            tried_by; ///< call whose task may be on its way there
    };
    using take_run = void (curve::*)(const run&);

    void note(const model_key& r, const runner& who, std::size_t elements, double us, take_run take) noexcept;
    /// By the functions' texts, which are read once.
    double likely_ns(const recipe& r) const;
    codelet_model& model_of(const model_key& r, const device_type* type);
    const codelet_model* find(std::uint64_t key) const;

    mutable std::mutex machine_guard_; ///< taken last
    std::shared_ptr<const detail::machine> machine_ = std::make_shared<detail::machine>();
    mutable std::mutex guard_; ///< of what follows
    std::unordered_map<std::uint64_t, codelet_model> by_key_;
    mutable std::unordered_map<std::uint64_t, double> likely_ns_; ///< by key
    std::uint64_t observed_ = 0;
    std::int64_t last_run_us_ = 0;
};

} // namespace skelrt::detail
