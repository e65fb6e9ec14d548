// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace bench
{

/// Seconds on a clock that never goes back.
inline double now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Makes the compiler believe that the value is used and that memory may have changed.
template <class T>
void keep(const T& value)
{
    asm volatile("" : : "r"(&value) : "memory");
}

/// What is kept of a series of times. All in seconds but `spread`.
struct summary {
    double best = 0, median = 0;
    double spread = 0; ///< half the distance between the quartiles, over the median
    std::size_t samples = 0;
    bool noisy() const { return spread > 0.05; }
};

summary summarize(std::vector<double> seconds);
/// Of ratios; 0: there are none.
double geometric_mean(const std::vector<double>& ratios);

/// Somebody who does the same work: `sample` does it once and returns the seconds it took.
struct contestant {
    std::string name;
    std::function<double()> sample;
};

/// Times of all contestants, taken in turn, so that whatever disturbs the machine disturbs all alike; every other round
/// goes backwards, so that nobody always follows the same one. Samples of the warm-up are dropped.
std::vector<summary> alternate(const std::vector<contestant>& contestants, int warm_up, int rounds);

} // namespace bench
