// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>

/// Threads that wait awake for another one give their core to whoever else wants it, now and then: a user's thread that
/// was woken there would stand behind them. But a program that computes keeps it for a slice of time, some
/// milliseconds, while the whole team waits for the one thread that gave way. So who came back too late does not give
/// way again until fifty times as long has passed: a fiftieth of the time is lost by it at most.
namespace skelrt::detail
{

/// Returns how long others had the core. Nothing happens, and it returns 0, if that was regretted lately.
std::chrono::nanoseconds give_way() noexcept;

/// Whether threads of the team share cores: then those who were given the core are those who are waited for, and
/// nothing is regretted.
void threads_share_cores(bool they_do) noexcept;

/// What the calling thread waited for had been there so long when it came back.
void regret_giving_way(std::chrono::nanoseconds late) noexcept;

/// Awake until `there()`, which another thread of the team makes true soon. False: `in_vain()` came first.
template <class There, class InVain>
bool wait_awake(There there, InVain in_vain) noexcept
{
    constexpr unsigned patience = 4000; // looks
    std::chrono::nanoseconds away{};
    for (unsigned tries = 0; !there(); ++tries) {
        if (in_vain()) return false;
        if (tries > patience) away = give_way(); // more threads than cores: who is waited for may wait for this one
    }
    regret_giving_way(away);
    return true;
}

} // namespace skelrt::detail
