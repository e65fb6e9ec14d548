// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/decide/decision.hpp"
#include "src/lowering/decide/tuning.hpp"

#include <skelrt/detail/element_costs.hpp>
#include <skelrt/runtime.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

/// Who carries out a call: the calling thread, alone or leading all cores; a batch of several calls; or tasks of its
/// own. And how its containers are cut. Pure.
namespace skelrt::detail
{

/// What a call takes that the calling thread could do, in microseconds.
struct caller_facts {
    double us = 0;              ///< the calling thread alone
    double limit_us = 0;        ///< that it should take alone at most
    bool may_lead = false;      ///< it may lead all cores
    double led_us = 0;          ///< all cores, then; a guess as long as
    bool led_is_tested = false; ///< nobody has timed that
    double longest_led_us = 0;  ///< that a call may keep the calling thread
};

/// Whether nobody else need be asked about: all cores take as long to begin and to end together.
inline bool is_for_caller_alone(double us, double limit_us) noexcept
{
    return us <= std::min(limit_us, tuning::team_begins_and_ends_us);
}

/// Pure but for what trials cost: `core` and `team` note what calls have paid for the next try of the one that lost.
caller_way choose_for_caller(const caller_facts& f, element_costs& core, element_costs& team) noexcept;

/// Whether the cores do a call while kernels are built for GPUs, which still takes `left_us`: it costs nobody anything.
/// `cores_us`: until its data is home, and they have done it and what they were given before.
inline bool is_for_cores_meanwhile(double cores_us, double left_us) noexcept { return cores_us < left_us; }

/// What a call gains by one more GPU, which takes `us`, its data there: it does the call instead of those that take
/// `best_us` without it, or shares it with them.
inline double gain_by_another(double best_us, double us, bool shares) noexcept
{
    const double then_us = shares ? 1 / (1 / best_us + 1 / us) : us;
    return best_us - std::max(then_us, tuning::least_gpu_us);
}

/// Whether a device's kernels are loaded that an earlier run has built, which takes `load_us`: what calls have lost so
/// far for want of them, and what this one gains by them and others like it will, makes up for it.
inline bool is_worth_loading(double load_us, double lost_us, double gain_us, std::size_t calls) noexcept
{
    return gain_us > 0 && lost_us + gain_us * static_cast<double>(calls) >= load_us;
}

/// What an episode takes that took so long and had to pay `once_us`, as far as anybody knows, for the first time.
inline double us_without(double once_us, double took_us) noexcept
{
    constexpr double least_part = 0.25;
    return std::max(took_us - once_us, least_part * took_us);
}

/// Whether the best of these GPUs makes a step sooner than all share it: `us` that each takes alone, `split_us` that each
/// shared step takes longer.
bool is_sooner_alone(std::span<const double> us, double split_us) noexcept;

/// What is known of a call that one task does.
struct one_task {
    device where = device::cpu;
    double us = 0;              ///< that it takes there
    bool plain = false;         ///< the planner's, with nothing before it and nothing after it
    bool told = false;          ///< it obeys a plan
    bool held = false;          ///< it goes where one like it went
    bool checked = false;       ///< its functions ran there before, and were right
    bool maps_scalars = false;  ///< a map of scalars and values to a scalar
    bool all_there = false;     ///< the device has all of its data
    bool measured = false;      ///< what it takes is no guess
    bool may_end_early = false; ///< its task may end before its kernels do
    bool follows = false;       ///< a call that the host has not waited for
    bool own_core = false;      ///< it was planned for the core of the calling thread
};

/// What the program does around it.
struct call_surroundings {
    std::uint32_t in_flight = 0;  ///< of this program's calls, this one included
    double longest_led_us = 0;    ///< that a call may keep the calling thread
    bool caller_is_free = false;  ///< it may lead the cores, and nobody else uses the data
    bool caller_has_core = false; ///< as items have
    bool batches = false;         ///< several calls may become one task
};

/// Who carries out a call that was planned. The calling thread's core: what was planned for it. The calling thread:
/// what takes the cores not much longer than the task would take. A batch: short calls, on a device that has all of
/// their data, as was measured.
carrier carrier_of(const one_task& t, const call_surroundings& around) noexcept;

/// Whether the next call in this situation should go the same way. Where another device would be faster if it had the
/// data, calls are planned each time: what they lose adds up until the data moves. Likewise on cores that compete with
/// GPUs, but for single calls, which GPUs would pay the way for. Tasks of their own are planned each time, too, and so
/// is what the calling thread leads and is too long for a batch. `device`: its number among the decision's targets.
bool is_worth_holding(const one_task& t, carrier by, const decision& d, unsigned device, std::size_t elements) noexcept;

/// Whether it holds for single calls only.
bool holds_for_single_calls(const one_task& t, const decision& d) noexcept;

/// What says how finely a call's containers are cut.
struct cut_facts {
    bool for_one_device = false; ///< a second one would gain nothing
    bool scan = false;           ///< devices scan their parts of a vector one after the other, if a plan says so
    bool free = false;           ///< the user said nothing: a plan is an episode's split
    std::size_t shares = 0;      ///< of the plan that it obeys; 0: none
};
enum class cut_rule : std::uint8_t { sizes, shares, split, models };
/// By what they are cut: their sizes alone; the shares of a user's plan; those of an episode's; or what models say.
cut_rule cut_by(const cut_facts& f) noexcept;

} // namespace skelrt::detail
