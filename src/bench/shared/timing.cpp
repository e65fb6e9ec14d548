// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/shared/timing.hpp"

#include <algorithm>
#include <cmath>

namespace bench
{

summary summarize(std::vector<double> seconds)
{
    summary s;
    s.samples = seconds.size();
    if (seconds.empty()) return s;
    std::sort(seconds.begin(), seconds.end());
    const std::size_t last = seconds.size() - 1;
    s.best = seconds.front();
    s.median = (seconds[last / 2] + seconds[(last + 1) / 2]) / 2;
    s.spread = (seconds[last - last / 4] - seconds[last / 4]) / 2 / s.median;
    return s;
}

double geometric_mean(const std::vector<double>& ratios)
{
    double logs = 0;
    for (const double r : ratios) logs += std::log(r);
    return ratios.empty() ? 0 : std::exp(logs / static_cast<double>(ratios.size()));
}

std::vector<summary> alternate(const std::vector<contestant>& contestants, int warm_up, int rounds)
{
    const std::size_t count = contestants.size();
    std::vector<std::vector<double>> seconds(count);
    for (int round = -warm_up; round < rounds; ++round) {
        for (std::size_t k = 0; k < count; ++k) {
            const std::size_t who = round % 2 == 0 ? k : count - 1 - k;
            const double t = contestants[who].sample();
            if (round >= 0) seconds[who].push_back(t);
        }
    }
    std::vector<summary> all;
    for (auto& s : seconds) all.push_back(summarize(std::move(s)));
    return all;
}

} // namespace bench
