// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// What calls of a program take, one by one, with each choice: it tells where to look, not what is kept. Pure.
namespace skelrt::tool
{

/// One call of a run in which all calls are waited for (SKELRT_TRIAL).
struct surveyed_call {
    std::uint64_t key;
    std::string codelet;
    std::size_t elements;
    double us;
    std::size_t choice; ///< number among the choices; 0: automatic
    bool obeyed;        ///< false: the call could not be placed so, and was placed automatically
};

/// Reads what SKELRT_TRIAL writes; lines that are cut off are left out.
std::vector<surveyed_call> read_survey(const std::string& text, std::size_t choice);

/// Calls that get one choice: those of a codelet whose sizes are of one order, powers of two.
struct place {
    std::uint64_t key;
    std::string codelet;
    std::size_t from, to; ///< sizes, both ends included
    std::size_t calls;
    double share;           ///< of the time of all calls, as they are placed automatically
    std::vector<double> us; ///< a call, by choice, the median; 0: some of the calls cannot be placed so

    double seconds(std::size_t choice) const { return 1e-6 * us[choice] * static_cast<double>(calls); }
};

/// Those with a share of at least `least_share`, the largest first.
std::vector<place> places_of(const std::vector<surveyed_call>& calls, std::size_t choices, double least_share = 0.02);

} // namespace skelrt::tool
