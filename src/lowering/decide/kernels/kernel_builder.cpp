// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/decide/kernels/kernel_builder.hpp"

#include "src/lowering/decide/choices.hpp"
#include "src/runtime/cores/team.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace skelrt::detail
{

namespace
{

/// But for their variant: a recipe's are built one after the other anyway.
bool are_same(const device_way& a, const device_way& b)
{
    return a.recipe == b.recipe && a.kind == b.kind && a.number == b.number;
}

/// Cores that compute together are as slow as the slowest, so they had better do without the compiler's. One is free
/// between two regions, if no items hold them all.
void take_soon(held_core& core)
{
    constexpr int looks = 20;
    constexpr std::chrono::microseconds between{50};
    for (int k = 0; k < looks && !core.take(); ++k) std::this_thread::sleep_for(between);
}

} // namespace

bool kernel_builder::is_building_locked(const device_way& kernels) const
{
    return std::ranges::any_of(jobs_, [&](const job& j) { return are_same(j.kernels, kernels); });
}

bool kernel_builder::is_building(const device_way& kernels) const
{
    if (!is_busy()) return false;
    const std::lock_guard lock(guard_);
    return is_building_locked(kernels);
}

void kernel_builder::add(const device_way& kernels, std::function<void()> build)
{
    const std::lock_guard lock(guard_);
    if (ends_ || is_building_locked(kernels)) return;
    if (jobs_.empty()) begun_ = clock::now();
    jobs_.push_back({kernels, std::move(build)});
    open_.store(jobs_.size(), std::memory_order_release);
    if (!thread_.joinable()) thread_ = std::thread(&kernel_builder::work, this);
    changed_.notify_all();
}

void kernel_builder::leave(const device_way& kernels)
{
    std::unique_lock lock(guard_);
    const auto first = jobs_.begin() + (is_at_work_ ? 1 : 0);
    jobs_.erase(std::remove_if(first, jobs_.end(), [&](const job& j) { return are_same(j.kernels, kernels); }),
                jobs_.end());
    open_.store(jobs_.size(), std::memory_order_release);
    changed_.wait(lock, [&] { return !is_building_locked(kernels); });
}

void kernel_builder::wait_for_all()
{
    std::unique_lock lock(guard_);
    changed_.wait(lock, [&] { return jobs_.empty(); });
}

void kernel_builder::load_beside(std::function<void(const std::stop_token&)> load)
try {
    loads_ = std::jthread([load = std::move(load)](const std::stop_token& ends) {
        run_anywhere();
        held_core core;
        take_soon(core);
        load(ends);
    });
} catch (const std::system_error&) { // no thread for it: calls load what they want
}

double kernel_builder::left_us(std::size_t more) const
{
    const std::lock_guard lock(guard_);
    const double each = built_ > 0 ? built_us_ / static_cast<double>(built_) : usual_us;
    const double later = each * static_cast<double>(more);
    if (jobs_.empty()) return later;
    const std::chrono::duration<double, std::micro> since = clock::now() - begun_;
    return std::max(each - since.count(), 0.0) + each * static_cast<double>(jobs_.size() - 1) + later;
}

double kernel_builder::cores_have_us() const
{
    const std::lock_guard lock(guard_);
    const std::chrono::duration<double, std::micro> left = cores_until_ - clock::now();
    return std::max(left.count(), 0.0);
}

void kernel_builder::give_cores(double us)
{
    const std::chrono::duration<double, std::micro> more(us);
    const std::lock_guard lock(guard_);
    cores_until_ = std::max(cores_until_, clock::now()) + std::chrono::duration_cast<clock::duration>(more);
}

bool kernel_builder::is_worth_loading(const device_way& kernels, double gain_us, std::size_t calls,
                                      std::span<const unpinned> written)
{
    const device_key on{kernels.kind, kernels.number};
    const std::lock_guard lock(guard_);
    const bool first = !in_use_.contains(on);
    const double lost_us = first ? lost_on_device_[on] : lost_us_[kernels],
                 load_us = first ? load_times().first : load_times().one;
    double pin_us = 0;
    for (const unpinned& memory : written)
        if (!to_pin_.contains(memory.data)) pin_us += memory.pin_us;
    if (detail::is_worth_loading(load_us, lost_us + pin_us, gain_us, calls)) return true;
    if (gain_us <= 0) return false;
    for (double* lost : {&lost_on_device_[on], &lost_us_[kernels]}) *lost += gain_us + pin_us;
    for (const unpinned& memory : written) to_pin_.insert(memory.data);
    return false;
}

void kernel_builder::note_loaded(const device_way& kernels)
{
    const std::lock_guard lock(guard_);
    in_use_.insert({kernels.kind, kernels.number});
    any_in_use_.store(true, std::memory_order_relaxed);
}

double kernel_builder::first_use_us() const noexcept
{
    return any_in_use_.load(std::memory_order_relaxed) ? 0 : load_times().first;
}

const tuning::load_times& kernel_builder::load_times() const noexcept
{
    return loads_.joinable() ? tuning::loads_begun_before : tuning::loads_of_calls;
}

void kernel_builder::work()
{
    run_anywhere();
    held_core core;
    std::unique_lock lock(guard_);
    for (;;) {
        if (jobs_.empty()) core.leave();
        changed_.wait(lock, [&] { return ends_ || !jobs_.empty(); });
        if (jobs_.empty()) return;
        begun_ = clock::now();
        is_at_work_ = true;
        const std::function<void()> build = std::move(jobs_.front().build);
        lock.unlock();
        take_soon(core);
        build();
        lock.lock();
        is_at_work_ = false;
        const std::chrono::duration<double, std::micro> took = clock::now() - begun_;
        built_us_ += took.count();
        ++built_;
        jobs_.pop_front();
        begun_ = clock::now();
        open_.store(jobs_.size(), std::memory_order_release);
        changed_.notify_all();
    }
}

void kernel_builder::end_after(clock::duration at_most) noexcept
{
    {
        std::unique_lock lock(guard_);
        ends_ = true; // nobody adds anything
        changed_.notify_all();
        changed_.wait_for(lock, at_most, [&] { return jobs_.empty(); });
        jobs_.erase(jobs_.begin() + (is_at_work_ ? 1 : 0), jobs_.end());
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
    loads_ = {};
}

} // namespace skelrt::detail
