// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mutex>
#include <vector>

namespace skelrt::detail
{

/// What links to devices were seen to bring, by the device's number among the runtime's. Who told their rates may be
/// wrong by far, and for good: StarPU measures them once on a machine, and what else used them then slowed them down.
/// But a call that took so long for so many bytes proves that its link brings no less. One wild call proves nothing:
/// the second best of all counts. Any thread.
class links
{
public:
    /// Bytes per microsecond.
    struct rates {
        double best = 0, second = 0;
    };

    void note(unsigned device, double bytes, double us) noexcept;
    /// Bytes per microsecond to the device; 0: nothing was seen.
    double seen(unsigned device) const noexcept;

    /// Earlier processes saw as much.
    void add(unsigned device, rates earlier) noexcept;

    /// Of all devices, by number.
    std::vector<rates> all() const;
    void forget() noexcept;

private:
    rates& of(unsigned device);

    mutable std::mutex guard_;
    std::vector<rates> by_device_;
};

} // namespace skelrt::detail
