// SPDX-License-Identifier: BSD-3-Clause
#include "measure.hpp"

#include "apps/shared/program/devices.hpp"

#include <skelrt/cluster.hpp>

#include <algorithm>
#include <chrono>

namespace apps
{
namespace
{

/// A process alone has waited in its run already, and learns from its waits: one more would be another program.
void wait_for_all_ranks()
{
    if (skelrt::ranks() > 1) skelrt::barrier();
}

double time_of(const std::function<void()>& run)
{
    wait_for_all_ranks();
    const auto start = std::chrono::steady_clock::now();
    run();
    wait_for_all_ranks();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

measurement measure(const std::string& device, const skelrt::runtime& rt, const common_options& o,
                    const std::function<void()>& run)
{
    return measure(
        device, rt, o, [] {}, run);
}

measurement measure(const std::string& device, const skelrt::runtime& rt, const common_options& o,
                    const std::function<void()>& prepare, const std::function<void()>& run)
{
    const auto set = set_of(device);
    measurement result{device, hardware_of(set, rt), {}, {}};
    const skelrt::only here(set);
    for (int i = -o.untimed; i < o.repeat; ++i) {
        prepare();
        const double seconds = time_of(run);
        if (i >= 0) result.seconds.push_back(seconds);
    }
    std::ranges::sort(result.seconds);
    return result;
}

} // namespace apps
