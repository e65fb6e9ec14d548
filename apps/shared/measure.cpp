#include "measure.hpp"

#include "devices.hpp"

#include <algorithm>
#include <chrono>

namespace apps
{
namespace
{

double time_of(const std::function<void()>& run)
{
    const auto start = std::chrono::steady_clock::now();
    run();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

measurement measure(const std::string& device, const skelrt::runtime& rt, int repeat, const std::function<void()>& run)
{
    const auto set = set_of(device);
    measurement result{device, hardware_of(set, rt), {}, {}};
    const skelrt::only here(set);
    for (int i = 0; i < untimed_runs; ++i) run();
    for (int i = 0; i < repeat; ++i) result.seconds.push_back(time_of(run));
    std::ranges::sort(result.seconds);
    return result;
}

} // namespace apps
