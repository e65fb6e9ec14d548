// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

#include <cstdio>
#include <string>

namespace simulate
{

/// Prints how long `play` takes, in simulated time: "name microseconds". `prepare` has the data in host memory; `play`
/// ends when its results are.
template <class Prepare, class Play>
void timed(const std::string& name, Prepare prepare, Play play)
{
    constexpr int calls_before = 3; // containers are cut for how a program was seen to use them
    double us = 0;
    for (int i = 0; i <= calls_before; ++i) {
        prepare();
        const double begin = starpu_timing_now();
        play();
        us = starpu_timing_now() - begin;
    }
    std::printf("%s %.3f\n", name.c_str(), us);
    std::fflush(stdout); // StarPU ends the process at once where it does not know what to do
}

} // namespace simulate
