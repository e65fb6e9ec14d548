#pragma once

#include "schedulers/hint.hpp"
#include "src/runtime/submission_lock.hpp"

#include <skelrt/runtime.hpp>

#include <starpu.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

/// The one running StarPU of the process and what the core knows about its devices.
namespace skelrt::detail
{

class model_keeper;
class known_calls;
class known_plans;
class episodes;
class pending_calls;
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
    const device_type* type = nullptr; ///< null: like the first of its kind
    double speed = 1;                  ///< about, over that of the first of its kind
};

/// Lifetime: made by sk::runtime, at most one. Everything that may outlive it asks engine::current() and takes null for an answer.
class engine
{
    std::unique_ptr<pending_calls> pending_;
    std::unique_ptr<known_calls> known_;
    std::unique_ptr<known_plans> plans_;
    std::unique_ptr<episodes> episodes_;

public:
    explicit engine(const options& wanted);
    ~engine();

    static engine* current() noexcept { return current_.load(std::memory_order_acquire); }

    const std::vector<target>& targets() const noexcept { return targets_; }
    /// The type of a GPU, by its number within its kind or its worker; null also for cores.
    const device_type* type_of(device kind, int number) const noexcept;
    const device_type* type_of_worker(int worker) const noexcept;
    const std::vector<int>& cpu_workers() const noexcept { return cpu_workers_; }
    unsigned cores() const noexcept { return static_cast<unsigned>(cpu_workers_.size()); }
    device_set available() const noexcept { return available_; }
    /// The user chose another policy than ours, which obeys the planner: tasks go to it one tile each, without placement.
    bool policy_places() const noexcept { return policy_places_; }
    /// Tiles of a container that asks for none; 0: as its size says. The cores alone, as one team, share nothing with
    /// anybody: they need no more than one.
    std::size_t default_tiles() const noexcept { return default_tiles_ == 0 && cores_alone() ? 1 : default_tiles_; }
    bool cores_alone() const noexcept { return targets_.size() == 1 && !policy_places_; }
    double inline_limit_us() const noexcept { return inline_limit_us_; }
    /// Calls that move more than this, and wait for memory, write results past the cores' caches; 0: all calls do.
    double streams_from_bytes() const noexcept { return streams_from_bytes_; }
    bool fusion() const noexcept { return fusion_; }
    const std::string& check_cuda() const noexcept { return check_cuda_; }
    bool has_cuda() const noexcept { return available_.has(device::cuda); }

    std::vector<device_info> describe() const;

    /// Calls that wait to be sent.
    pending_calls& pending() const noexcept { return *pending_; }
    known_calls& known() const noexcept { return *known_; }
    known_plans& plans() const noexcept { return *plans_; }
    episodes& program_episodes() const noexcept { return *episodes_; }

    submission_lock submission;
    /// Number of the last call submitted; guarded by `submission`.
    std::uint64_t calls_made = 0;
    /// Calls submitted and not yet done.
    std::atomic<long> calls_in_flight{0};
    /// Calls that the program submitted without waiting in between: guesses, where several threads do.
    struct {
        std::atomic<unsigned> now{0}, before{0}; ///< since the host's last wait; before that, if there were any
        /// How many were before.
        unsigned add() noexcept
        {
            const unsigned calls = now.load(std::memory_order_relaxed);
            now.store(calls + 1, std::memory_order_relaxed);
            return calls;
        }
        void end() noexcept
        {
            if (const unsigned calls = now.load(std::memory_order_relaxed); calls > 0) {
                before.store(calls, std::memory_order_relaxed);
                now.store(0, std::memory_order_relaxed);
            }
        }
    } row;

private:
    void find_targets();

    static std::atomic<engine*> current_;
    std::vector<target> targets_;
    std::vector<int> cpu_workers_;
    device_set available_, allowed_;
    bool policy_places_ = false;
    std::size_t default_tiles_ = 0;
    double inline_limit_us_ = 10;
    double streams_from_bytes_ = 0;
    bool fusion_ = true;
    std::string check_cuda_;
    int idle_hook_ = -1, progression_hook_ = -1;
    std::unique_ptr<model_keeper> models_;
};

/// Kinds of device that calls of this thread may use (sk::only).
device_set allowed_kinds() noexcept;

/// Throws error when the calling thread must not submit or wait: no runtime, or inside a task.
engine& require_engine(const char* what);
/// The calling worker, of a GPU, has a task: it polls more closely for a while.
void note_busy_worker() noexcept;
/// Whether the calling thread is running a task or a StarPU callback, where nothing may wait.
bool inside_task() noexcept;

} // namespace skelrt::detail
