// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/times/recent_times.hpp"

#include <algorithm>

namespace skelrt::detail
{

void recent_times::add(double time)
{
    times_[held_++ % kept] = time;
    const std::size_t n = std::min(held_, kept);
    auto sorted = times_;
    std::fill(sorted.begin() + static_cast<std::ptrdiff_t>(n), sorted.end(), never);
    std::sort(sorted.begin(), sorted.end()); // all of them: g++ 14 warns of a length that it does not know
    const bool takes_turns = n == kept && sorted[kept / 2] > much_longer * sorted[1];
    const std::size_t rank = n <= of_a_trial ? 0 : n < kept ? 1 : 2;
    usual_ = sorted[takes_turns ? kept / 2 : rank];
}

} // namespace skelrt::detail
