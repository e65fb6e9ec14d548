// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/shared/busy.hpp"
#include "src/bench/shared/timing.hpp"

#include <algorithm>

namespace bench
{

[[gnu::noinline]] float work_rounds(float x, std::size_t rounds)
{
    for (std::size_t k = 0; k < rounds; ++k) {
        x = x * 0.999f + 0.001f;
        keep(x); // not two rounds at once
    }
    return x;
}

std::size_t rounds_for(double us)
{
    constexpr std::size_t some = 10'000;
    double best = 1;
    for (int k = 0; k < 50; ++k) {
        const double begin = now();
        keep(work_rounds(1, some));
        best = std::min(best, now() - begin);
    }
    return std::max<std::size_t>(static_cast<std::size_t>(us * 1e-6 / best * some), 1);
}

} // namespace bench
