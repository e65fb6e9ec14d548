// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/plan.hpp>
#include <skelrt/runtime.hpp>

#include <string>
#include <vector>

namespace bench
{

/// A plan that somebody could have written by hand.
struct fixed_choice {
    std::string name;
    skelrt::plan what;
    bool sets_blocks = false, usual_blocks = false; ///< of the first GPU, which does all
};

/// Each device alone, cores without a GPU with fewer threads, the first GPU of a kind in blocks of every size, in pieces,
/// and with the cores in several splits. Pure.
std::vector<fixed_choice> fixed_choices(const std::vector<skelrt::device_info>& devices);

} // namespace bench
