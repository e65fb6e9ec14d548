// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "schedulers/hint.hpp"
#include "src/runtime/environment/settings.hpp"

#include <skelrt/runtime.hpp>

#include <starpu.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace skelrt::detail
{

class polite_workers;
class starpu_home;
struct device_type;

/// A worker that can take tasks: all CPU cores together (the team), or one GPU.
struct target {
    device kind;
    int worker;                       ///< StarPU worker; for the CPU the one that leads the team
    unsigned node;                    ///< StarPU memory node
    int number;                       ///< device number within its kind
    std::size_t memory;               ///< bytes that tasks may use there; 0: the host's memory
    double to_device;                 ///< bytes per microsecond from the host
    double from_device;               ///< bytes per microsecond to the host
    schedulers::placement_hint fixed; ///< for tasks that run here and nowhere else
    double hindrance = 0;             ///< of the time that copies run both ways at once, what they lose by it
    double way_us = 0; ///< a task's start, and for a GPU the way to it and back; calls in a row do not pay it
    const device_type* type = nullptr;  ///< null: like the first of its kind
    double speed = 1;                   ///< about, over that of the first of its kind
    unsigned index = 0;                 ///< among the runtime's targets
    std::vector<double> from_node = {}; ///< of other devices, by memory node: bytes per microsecond from it; 0: none
};

/// StarPU, while it runs, and the devices that it found. Lifetime: made and ended by the one thread that starts and
/// ends the runtime; in between it does not change, but for what the start notes of the targets.
class starpu_devices
{
public:
    /// Starts StarPU with a policy. Throws error if there is no device to run on.
    explicit starpu_devices(const settings& wanted);
    ~starpu_devices();

    const std::vector<target>& targets() const noexcept { return targets_; }
    /// For the start, which knows their links.
    std::vector<target>& targets_to_rate() noexcept { return targets_; }
    /// The type of a GPU, by its number within its kind or its worker; null also for cores.
    const device_type* type_of(device kind, int number) const noexcept;
    const device_type* type_of_worker(int worker) const noexcept;
    const std::vector<int>& cpu_workers() const noexcept { return cpu_workers_; }
    unsigned cores() const noexcept { return static_cast<unsigned>(cpu_workers_.size()); }
    device_set available() const noexcept { return available_; }
    bool has_cuda() const noexcept { return available_.has(device::cuda); }
    /// The user chose another policy than ours, which obeys the planner: tasks go to it one tile each, without
    /// placement.
    bool policy_places() const noexcept { return policy_places_; }
    bool cores_alone() const noexcept { return targets_.size() == 1 && !policy_places_; }
    /// Tiles of a container that asks for none; 0: as its size says. The cores alone, as one team, share nothing with
    /// anybody: they need no more than one.
    std::size_t default_tiles() const noexcept { return tiles_ == 0 && cores_alone() ? 1 : tiles_; }
    /// Containers of so many bytes lie in one range of addresses on devices; none: as their pages are.
    std::optional<std::size_t> range_bytes() const noexcept { return range_bytes_; }

    std::vector<device_info> describe() const;

private:
    struct team_guard {
        ~team_guard();
    };
    struct starpu_guard {
        ~starpu_guard();
    };

    void find_targets(device_set allowed);
    void refuse_if_useless() const;
    void start_cores();

    std::vector<target> targets_;
    std::vector<int> cpu_workers_;
    device_set available_;
    bool policy_places_ = false;
    std::size_t tiles_ = 0;
    std::optional<std::size_t> range_bytes_;
    // In the order of their starts, but for the team, whose threads go last.
    std::optional<team_guard> team_;
    std::unique_ptr<starpu_home> home_;
    std::optional<starpu_guard> starpu_;
    std::unique_ptr<polite_workers> workers_;
};

} // namespace skelrt::detail
