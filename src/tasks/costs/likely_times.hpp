// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/model/machine/machine.hpp"

#include <atomic>
#include <cstddef>
#include <optional>
#include <span>

/// What a task will take where nobody has measured it yet, and when that is worth a trial. Pure.
namespace skelrt::detail
{

/// What a task has to do, as far as anybody said.
struct task_size {
    double operations = 0; ///< 0: nobody said
    double bytes = 0;      ///< of all parts
    std::size_t element_size = sizeof(float);
};

/// At best, by the machine's peaks: whichever takes longer, arithmetic or memory.
double best_us_on_core(const task_size& s, const device_peaks& cpu, unsigned cores);
double best_us_on_gpu(const task_size& s, const device_peaks& gpu);

/// What is known of a task on one device. Microseconds.
struct device_time {
    double best_us = 0;      ///< by peaks
    double way_us = 0;       ///< of its data to there, at most
    double measured_us = -1; ///< negative: never
    std::size_t runs = 0;    ///< measured, of tasks of about this size

    bool known() const noexcept { return measured_us >= 0; }
    /// One or two runs may be wild.
    bool sure() const noexcept { return runs >= 3; }
};

/// What the task likely takes on one of the devices. Where it was not measured: as many times as long as at best as on
/// the fastest that was, and more than that, for nobody knows; the best guess of all is believed while nothing is
/// known.
double likely_us(std::span<const device_time> devices, std::size_t which);

/// A device that is not sure, and that nobody would use as it seems now: the one on which a trial costs least, if what
/// was measured there was wild. None: nothing was measured, or there is no such device.
struct trial {
    std::size_t which;
    double us; ///< what it costs
};
std::optional<trial> cheapest_trial(std::span<const device_time> devices);

/// Pays for trials: together they cost a small part of what tasks of their kernel have taken so far. Thread-safe.
class trial_budget
{
public:
    void note_spent(double us) noexcept { spent_us_.fetch_add(us, std::memory_order_relaxed); }
    /// Whether there is enough; then it is paid.
    bool pay(double us) noexcept;

private:
    std::atomic<double> spent_us_{0}, paid_us_{0};
};

} // namespace skelrt::detail
