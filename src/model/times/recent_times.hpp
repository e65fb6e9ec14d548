// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <limits>

namespace skelrt::detail
{

/// What something usually takes, of its last times: the least of as few as a trial has, the second of more, the third
/// of all that are kept. What goes wrong only makes them longer: the first of a way's times has something to build,
/// each first one after another way's meets caches that are cold and cores that sleep. Unless most of them are much
/// longer: then it takes turns between a good place and a bad one.
class recent_times
{
public:
    static constexpr double never = std::numeric_limits<double>::infinity();

    void add(double time);
    /// What was before is forgotten with the next time.
    void begin_anew() noexcept { held_ = 0; }
    double get() const noexcept { return usual_; }

private:
    static constexpr std::size_t kept = 7, of_a_trial = 4;
    static constexpr double much_longer = 2;
    std::array<double, kept> times_{};
    std::size_t held_ = 0; ///< since it began
    double usual_ = never; ///< asked for much more often than times are added
};

} // namespace skelrt::detail
