// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>
#include <vector>

namespace bench
{

/// A number that is compared from run to run, and what it should reach.
struct figure_kind {
    std::string_view name;
    double bar;
    bool more_is_better;
    std::string_view meaning;

    bool meets(double value) const { return more_is_better ? value >= bar : value <= bar; }
};

const std::vector<figure_kind>& known_figures();
/// Null if nobody knows a figure of that name.
const figure_kind* find_figure(std::string_view name);

} // namespace bench
