// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>

/// The decisions of the policies, as functions of numbers: tested as such.
namespace skelrt::schedulers
{

/// A worker that could run a task, and what is known about that. Microseconds.
struct candidate {
    int worker;
    unsigned implementation;
    double busy_us;     ///< until the worker has done what it has
    double length_us;   ///< of the task there; NaN: not measured yet; 0: it has no model
    double transfer_us; ///< of its data; 0 where copies do not count
    std::size_t tasks;  ///< that the worker has
};

/// The position of the candidate that would end the task first. Where nothing is known that is a worker that nobody
/// measured, so that it becomes known; without models, the one with the fewest tasks. At least one candidate.
std::size_t earliest_end(std::span<const candidate> all) noexcept;

/// A task waits in the queue of a worker that is late. Microseconds.
struct late_task {
    double wait_us;     ///< until it would have ended there
    double length_us;   ///< on the worker that asks for work; NaN: it shall not have it; 0: it has no model
    double transfer_us; ///< of its data to there
};

/// Whether a worker that is idle should take it. Its data may be missed where it was: the way counts twice. Without a
/// model an idle worker is better than a busy one.
bool worth_taking(const late_task& t) noexcept;

/// Microseconds that `bytes` take on a link that so many copies use at once.
double shared_transfer_us(double bytes, double bytes_per_us, double latency_us, unsigned users) noexcept;

} // namespace skelrt::schedulers
