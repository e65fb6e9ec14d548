// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/machine/links.hpp"

#include <algorithm>
#include <new>

namespace skelrt::detail
{

links::rates& links::of(unsigned device)
{
    if (device >= by_device_.size()) by_device_.resize(device + 1);
    return by_device_[device];
}

void links::note(unsigned device, double bytes, double us) noexcept
try {
    if (!(bytes > 0) || !(us > 0)) return;
    const double rate = bytes / us;
    const std::lock_guard lock(guard_);
    rates& r = of(device);
    r.second = std::max(r.second, std::min(r.best, rate));
    r.best = std::max(r.best, rate);
} catch (const std::bad_alloc&) { // one copy less
}

void links::add(unsigned device, rates earlier) noexcept
try {
    const std::lock_guard lock(guard_);
    rates& r = of(device);
    r = {std::max(r.best, earlier.best), std::max(r.second, earlier.second)};
} catch (const std::bad_alloc&) { // it will be seen again
}

double links::seen(unsigned device) const noexcept
{
    const std::lock_guard lock(guard_);
    return device < by_device_.size() ? by_device_[device].second : 0;
}

std::vector<links::rates> links::all() const
{
    const std::lock_guard lock(guard_);
    return by_device_;
}

void links::forget() noexcept
{
    const std::lock_guard lock(guard_);
    by_device_.clear();
}

} // namespace skelrt::detail
