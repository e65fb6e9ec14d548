// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stop_token>
#include <thread>

/// Of programs that run many cases by their seeds: says which one hangs, for somebody else to look at the process.
class watchdog
{
public:
    void begins(unsigned seed) { now_ = seed; }

private:
    void watch(const std::stop_token& stop) const
    {
        constexpr int patience = 30;
        unsigned last = ~0u;
        for (int seconds = 0; !stop.stop_requested(); std::this_thread::sleep_for(std::chrono::seconds(1))) {
            seconds = now_ == last ? seconds + 1 : 0;
            last = now_;
            if (seconds < patience) continue;
            std::printf("number %u hangs\n", last);
            std::fflush(stdout);
            std::abort();
        }
    }
    std::atomic<unsigned> now_{0};
    std::jthread watcher_{[this](std::stop_token stop) { watch(stop); }};
};
