// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// Whole runs of a program, with and without a change, in turns: when the change gains. Pure.
namespace skelrt::tool
{

/// Seconds; the same number of each. A run that failed took for ever.
struct turns {
    std::vector<double> without, with;
};

/// When a change gains: quicker in `wins` of `turns` turns, and a median that is shorter by `least`.
struct gain_rule {
    std::size_t turns, wins;
    double least;
};
/// Of a candidate: by chance 4 of 5 are won in 19 of 100 cases.
constexpr gain_rule over_what_is_kept{5, 4, 0.03};
/// Of an entry that may be left out.
constexpr gain_rule over_being_left_out{5, 4, 0};
/// Of what is left, since of many candidates some win by chance: 6 of 7 in 6 of 100 cases.
constexpr gain_rule once_more{7, 6, 0.03};

enum class verdict : std::uint8_t { open, gains, does_not };

/// A run that failed ends it. What does not gain is known before all turns are made.
verdict judge(const turns& t, const gain_rule& rule);

std::size_t won(const turns& t);
double median_of(std::vector<double> seconds);

} // namespace skelrt::tool
