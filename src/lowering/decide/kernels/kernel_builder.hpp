// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/checks/device_trust.hpp"
#include "src/lowering/decide/tuning.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <stop_token>
#include <thread>
#include <utility>

namespace skelrt::detail
{

/// Builds kernels while the program goes on: one after the other, as they were asked for, in a thread that begins with
/// the first wish. At its end it goes on for as long as it has lived, at most: programs that end before their kernels
/// are there have them in one of the next runs.
///
/// Any thread may call. Lifetime: the engine's, and it ends before the devices do.
class kernel_builder
{
public:
    kernel_builder() = default;
    kernel_builder(const kernel_builder&) = delete;
    kernel_builder& operator=(const kernel_builder&) = delete;
    ~kernel_builder() { end(); }

    /// Whether anything is still to be built. Cheap.
    bool is_busy() const noexcept { return open_.load(std::memory_order_acquire) > 0; }
    /// Whether some kernels of the recipe are, for that device.
    bool is_building(const device_way& kernels) const;
    /// `build` shall throw nothing.
    void add(const device_way& kernels, std::function<void()> build);
    /// For who builds them now: what has not begun is dropped, what has is waited for.
    void leave(const device_way& kernels);
    void wait_for_all();
    /// Beside everything else, on a core of its own, once, before the first call: what calls are likely to want. `load`
    /// shall throw nothing, and stop when it is told to.
    void load_beside(std::function<void(const std::stop_token&)> load);
    /// How long all that was asked for, and so many kernels more, will take from now on, as what was built so far
    /// tells, in microseconds.
    double left_us(std::size_t more) const;
    /// What the cores still have to do of calls that they were given meanwhile, as models say, in microseconds.
    double cores_have_us() const;
    /// They were given one more.
    void give_cores(double us);
    /// Host memory that the cores would write, and what it takes to pin it if a GPU is to have it after all.
    struct unpinned {
        const void* data;
        double pin_us;
    };
    /// A call would gain so much by kernels that need only be loaded, and so would others like it, this one included.
    /// Whether they are to be loaded now; else the call loses it, and later ones make up for that: those that want the
    /// same kernels or, while nothing is loaded on the device, any there. Memory that is `written` then has to be
    /// pinned later, which is lost once however often it is written.
    bool is_worth_loading(const device_way& kernels, double gain_us, std::size_t calls,
                          std::span<const unpinned> written = {});
    /// The device has some of its own.
    void note_loaded(const device_way& kernels);
    /// What it still takes to use a device with kernels at all, in microseconds. Cheap.
    double first_use_us() const noexcept;
    /// What has not begun by then is dropped, what has is waited for.
    void end() noexcept { end_after(clock::now() - made_); }
    void end_after(std::chrono::steady_clock::duration at_most) noexcept;

private:
    using clock = std::chrono::steady_clock;
    struct job {
        device_way kernels;
        std::function<void()> build;
    };

    bool is_building_locked(const device_way& kernels) const;
    void work();
    const tuning::load_times& load_times() const noexcept;

    static constexpr double usual_us = 1e5; ///< until one was built: on nodes with an H100 50 to 500 ms

    mutable std::mutex guard_;
    std::condition_variable changed_;
    std::deque<job> jobs_; ///< the first is being built
    std::atomic<std::size_t> open_{0};
    const clock::time_point made_ = clock::now();
    clock::time_point begun_{}; ///< the first
    clock::time_point cores_until_{};
    using device_key = std::pair<device, int>;
    std::map<device_way, double> lost_us_;        ///< by calls that did without kernels
    std::map<device_key, double> lost_on_device_; ///< before it had any
    std::set<device_key> in_use_;                 ///< devices that have some
    std::set<const void*> to_pin_;                ///< memory whose pinning is among what is lost
    std::atomic<bool> any_in_use_{false};         ///< asked without the lock, in front of short calls
    double built_us_ = 0;                         ///< so far, in all
    std::size_t built_ = 0;
    bool is_at_work_ = false; ///< on the first
    bool ends_ = false;
    std::thread thread_;
    std::jthread loads_;
};

} // namespace skelrt::detail
