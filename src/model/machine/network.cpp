// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/machine/network.hpp"

#include <algorithm>

namespace skelrt::detail
{

namespace
{

constexpr double least_us = 1e-3; ///< of what clocks cannot tell from nothing

struct message_times {
    double begin, slope;
};

/// Least squares of relative errors: a microsecond matters where a message takes two.
message_times fit_line(std::span<const timed_message> all)
{
    double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0;
    for (const auto& [x, y] : all) {
        const double weight = 1 / std::max(y * y, least_us * least_us);
        w += weight, wx += weight * x, wy += weight * y, wxx += weight * x * x, wxy += weight * x * y;
    }
    const double slope = (w * wxy - wx * wy) / (w * wxx - wx * wx);
    return {(wy - slope * wx) / w, slope};
}

} // namespace

double message_us(const network_peaks& n, double bytes) noexcept
{
    if (n.message_us.value <= 0) return -1;
    return n.message_us.value + bytes / n.bytes_per_us.value + 2 * bytes / n.copied_bytes_per_us.value;
}

network_peaks fit_network(double value_us, std::span<const timed_message> messages, double us_in_a_row,
                          double copied_bytes_per_us)
{
    const auto [begin, slope] = fit_line(messages);
    // Copies of what caches hold are faster than those that were timed: the wire has some part in what it takes.
    constexpr double most_of_it = 0.9;
    const double us_a_copy = std::min(1 / copied_bytes_per_us, most_of_it * slope / 2);
    const auto measured = [](double value) { return fact{std::max(value, least_us), source::measured}; };
    return {measured(value_us), measured(begin), measured(us_in_a_row), measured(1 / (slope - 2 * us_a_copy)),
            measured(1 / us_a_copy)};
}

} // namespace skelrt::detail
