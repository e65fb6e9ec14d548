// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/usage.hpp"

#include <algorithm>

namespace skelrt::detail
{

usage::habit& usage::of(std::uint32_t recipe)
{
    while (recipe >= habits_.size()) {
        const auto number = static_cast<std::uint32_t>(habits_.size());
        habits_.push_back(earlier_ ? earlier_(number).value_or(habit{}) : habit{});
    }
    return habits_[recipe];
}

double usage::goes_home(std::uint32_t recipe, double until_known)
{
    const habit& h = of(recipe);
    return h.usually_home ? h.home : until_known;
}

bool usage::usually_goes_home(std::uint32_t recipe) { return of(recipe).usually_home.value_or(false); }

void usage::note_home(std::uint32_t recipe, bool home)
{
    constexpr float nearly_all = 0.9f;
    habit& h = of(recipe);
    h.home = (h.home + (home ? 1.0f : 0.0f)) / 2;
    if (!h.usually_home || h.home > nearly_all || h.home < 1 - nearly_all) h.usually_home = home;
}

std::size_t usage::usual_run(std::uint32_t recipe)
{
    const habit& h = of(recipe);
    const auto known = static_cast<std::ptrdiff_t>(std::max<std::size_t>(h.kept_runs(), 1));
    return *std::min_element(h.runs.begin(), h.runs.begin() + known);
}

void usage::note_end_of_run(std::uint32_t recipe, std::size_t calls)
{
    habit& h = of(recipe);
    if (h.seen == 0) return note_run(recipe, calls);
    for (std::size_t k = 0; k < h.kept_runs(); ++k) h.runs[k] = std::max(h.runs[k], calls);
}

void usage::note_run(std::uint32_t recipe, std::size_t calls)
{
    habit& h = of(recipe);
    h.runs[h.seen++ % h.runs.size()] = calls;
}

} // namespace skelrt::detail
