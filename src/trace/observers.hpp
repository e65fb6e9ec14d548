// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>

/// Who looks at what threads do. A program that nobody looks at pays one relaxed load a call.
namespace skelrt::detail
{

enum class observer : std::uint8_t {
    timeline = 1, ///< SKELRT_TRACE
    lookout = 2,  ///< SKELRT_PROGRESS
    profiler = 4, ///< a tool that listens to NVTX
};

inline constinit std::atomic<std::uint8_t> observers{0};

class observer_set
{
public:
    explicit observer_set(std::uint8_t bits) noexcept : bits_(bits) {}
    bool empty() const noexcept { return bits_ == 0; }
    bool has(observer o) const noexcept { return (bits_ & static_cast<std::uint8_t>(o)) != 0; }

private:
    std::uint8_t bits_;
};

inline observer_set observers_now() noexcept { return observer_set(observers.load(std::memory_order_relaxed)); }
inline bool is_observed() noexcept { return !observers_now().empty(); }
inline bool is_observed_by(observer o) noexcept { return observers_now().has(o); }

inline void observe(observer o) noexcept { observers.fetch_or(static_cast<std::uint8_t>(o)); }
/// Whether it had looked until now.
inline bool stop_observing(observer o) noexcept
{
    const auto bit = static_cast<std::uint8_t>(o);
    return (observers.fetch_and(static_cast<std::uint8_t>(~bit)) & bit) != 0;
}

} // namespace skelrt::detail
