// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>

namespace skelrt::detail
{

/// How many have begun and not ended. Any thread. Who begins and who ends write lines of their own: workers count while
/// the program goes on, and would make it wait for the line.
class flight_count
{
public:
    void begin() noexcept { begun_.fetch_add(1); }
    void end(long n) noexcept { ended_.fetch_add(n); }
    long now() const noexcept
    {
        const long ended = ended_.load(); // first: what ends has begun
        return begun_.load() - ended;
    }
    operator long() const noexcept { return now(); }

private:
    alignas(64) std::atomic<long> begun_{0};
    alignas(64) std::atomic<long> ended_{0};
};

} // namespace skelrt::detail
