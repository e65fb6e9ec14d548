// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/model/files/plan_file.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// From timed trials to execution plans. Pure: no process, no clock.
namespace skelrt::tool
{

/// One way to place calls. No shares: automatic.
struct choice {
    std::string name;
    std::vector<plan_share> shares;
};

/// One call of a trial.
struct timed_call {
    std::uint64_t key;
    std::string codelet;
    std::size_t elements;
    double us;
    std::size_t choice; ///< number among the choices
    bool obeyed;        ///< false: the call could not be placed so, and was placed automatically
};

/// Reads what SKELRT_TRIAL writes; lines that are cut off are left out.
std::vector<timed_call> read_trial(const std::string& text, std::size_t choice);

/// Sizes for which one choice is best, or hardly worse than the best.
struct tuned_range {
    std::size_t from, to;
    std::size_t choice;
    double us;                  ///< a call with the choice, summed over the orders of size in the range
    std::vector<double> all_us; ///< the same for every choice; 0: it was not possible
};
struct tuned_codelet {
    std::uint64_t key;
    std::string codelet;
    std::vector<tuned_range> ranges;
};

/// For each codelet and order of size (powers of two) the choice with the shortest median time, where choice 0,
/// automatic, stays if it is not `margin` worse; neighbouring orders whose choices differ by less than `margin` become
/// one range.
std::vector<tuned_codelet> tune(const std::vector<timed_call>& calls, std::size_t choices, double margin = 0.05);

/// Ranges of automatic placement are left out: that is what a size without a range gets.
detail::program_plans plans_of(const std::vector<tuned_codelet>& tuned, const std::vector<choice>& choices);

/// A table for people.
std::string as_text(const std::vector<tuned_codelet>& tuned, const std::vector<choice>& choices);

} // namespace skelrt::tool
