// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/bench/hybrid/hybrid_works.hpp"

#include <string_view>
#include <vector>

namespace bench
{

/// What is tuned: six applications, and five skeletons by themselves.
struct tuning_kind {
    std::string_view name;
    bool application;
    std::unique_ptr<hybrid_work> (*make)(std::size_t elements, rival_team& helpers);
};

const std::vector<tuning_kind>& tuning_kinds();

} // namespace bench
