#pragma once

#include <chrono>

/// Threads that wait awake for another one give their core to whoever else wants it, now and then: a user's thread that was woken
/// there would stand behind them. But a program that computes keeps it for a slice of time, some milliseconds (and since Linux 6.18
/// who yields goes without his next slice, too), while the whole team waits for the one thread that gave way. So who came back too
/// late does not give way again until fifty times as long has passed: a fiftieth of the time is lost by it at most.
namespace skelrt::detail
{

/// Returns how long others had the core. Nothing happens, and it returns 0, if that was regretted lately.
std::chrono::nanoseconds give_way() noexcept;

/// Whether threads of the team share cores: then those who were given the core are those who are waited for, and nothing is regretted.
void threads_share_cores(bool they_do) noexcept;

/// What the calling thread waited for had been there so long when it came back.
void regret_giving_way(std::chrono::nanoseconds late) noexcept;

} // namespace skelrt::detail
