// SPDX-License-Identifier: BSD-3-Clause
#include "src/tasks/costs/likely_times.hpp"

#include <algorithm>

namespace skelrt::detail
{

namespace
{

/// A guess is taken for this many times as long: functions reach their device's peaks more or less well.
constexpr double doubt = 4;
/// A function on a core, and a kernel of a GPU, take that long at least.
constexpr double function_us = 0.1, kernel_start_us = 4;
/// Of what a kernel's tasks have taken, what trials may cost.
constexpr double part_for_trials = 1.0 / 8;

double arithmetic_rate(const device_peaks& d, std::size_t element_size)
{
    return element_size == sizeof(double) ? d.fp64.value : d.fp32.value;
}

double end_us(const device_time& d) { return d.best_us + d.way_us; }

/// As far from its best as the one that was measured, and then some.
double guessed_us(const device_time& d, const device_time& known)
{
    return doubt * d.best_us * known.measured_us / known.best_us;
}

/// Of those that were measured; none: nothing was.
const device_time* fastest_known(std::span<const device_time> devices)
{
    const device_time* fastest = nullptr;
    for (const device_time& d : devices)
        if (d.known() && (!fastest || d.measured_us < fastest->measured_us)) fastest = &d;
    return fastest;
}

} // namespace

double best_us_on_core(const task_size& s, const device_peaks& cpu, unsigned cores)
{
    const double rate = arithmetic_rate(cpu, s.element_size) / std::max(cores, 1u);
    return std::max({function_us, s.operations / rate, s.bytes / cpu.core_memory.value});
}

double best_us_on_gpu(const task_size& s, const device_peaks& gpu)
{
    return kernel_start_us + std::max(s.operations / arithmetic_rate(gpu, s.element_size), s.bytes / gpu.memory.value);
}

double likely_us(std::span<const device_time> devices, std::size_t which)
{
    const device_time& d = devices[which];
    if (d.known()) return d.measured_us;
    if (const device_time* const known = fastest_known(devices)) return guessed_us(d, *known);
    const auto best = std::ranges::min_element(devices, {}, &end_us);
    return &*best == &d ? d.best_us : doubt * d.best_us;
}

std::optional<trial> cheapest_trial(std::span<const device_time> devices)
{
    const device_time* const known = fastest_known(devices);
    if (!known) return std::nullopt;
    std::optional<trial> best;
    for (std::size_t k = 0; k < devices.size(); ++k) {
        const device_time& d = devices[k];
        if (d.sure() || &d == known) continue;
        const double guess = guessed_us(d, *known),
                     us = d.way_us + (d.known() ? std::min(d.measured_us, guess) : guess);
        if (!best || us < best->us) best = {k, us};
    }
    return best;
}

bool trial_budget::pay(double us) noexcept
{
    const double most = part_for_trials * spent_us_.load(std::memory_order_relaxed);
    double paid = paid_us_.load(std::memory_order_relaxed);
    do
        if (paid + us > most) return false;
    while (!paid_us_.compare_exchange_weak(paid, paid + us, std::memory_order_relaxed));
    return true;
}

} // namespace skelrt::detail
