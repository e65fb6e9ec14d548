// SPDX-License-Identifier: BSD-3-Clause
#include "schedulers/choose.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace skelrt::schedulers
{

namespace
{

double end_of(const candidate& c) noexcept { return c.busy_us + c.length_us + c.transfer_us; }

} // namespace

std::size_t earliest_end(std::span<const candidate> all) noexcept
{
    const auto unmeasured = [](const candidate& c) { return std::isnan(c.length_us); };
    const auto without_model = [](const candidate& c) { return c.length_us == 0; };
    const bool explore = std::ranges::any_of(all, unmeasured), count = std::ranges::any_of(all, without_model);
    const auto before = [&](const candidate& a, const candidate& b) {
        if (explore && unmeasured(a) != unmeasured(b)) return unmeasured(a);
        if (explore || count) return a.tasks != b.tasks ? a.tasks < b.tasks : a.transfer_us < b.transfer_us;
        return end_of(a) < end_of(b);
    };
    return static_cast<std::size_t>(std::distance(all.begin(), std::ranges::min_element(all, before)));
}

bool worth_taking(const late_task& t) noexcept
{
    return t.length_us == 0 || t.length_us + 2 * t.transfer_us < t.wait_us; // false for NaN
}

double shared_transfer_us(double bytes, double bytes_per_us, double latency_us, unsigned users) noexcept
{
    if (bytes <= 0) return 0;
    return latency_us + bytes * static_cast<double>(std::max(users, 1u)) / bytes_per_us;
}

} // namespace skelrt::schedulers
