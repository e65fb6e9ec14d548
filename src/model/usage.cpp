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
    take_ended();
    const habit& h = of(recipe);
    const auto known = static_cast<std::ptrdiff_t>(std::max<std::size_t>(h.kept_runs(), 1));
    return *std::min_element(h.runs.begin(), h.runs.begin() + known);
}

void usage::note_end_of_run(std::uint32_t recipe, std::size_t calls)
{
    const std::lock_guard lock(ended_guard_);
    const auto known = std::ranges::find(ended_, recipe, &ended_run::recipe);
    if (known == ended_.end()) ended_.push_back({recipe, calls});
    else known->calls = std::max(known->calls, calls);
}

void usage::take_ended()
{
    const std::lock_guard lock(ended_guard_);
    for (const auto& [recipe, calls] : ended_) {
        habit& h = of(recipe);
        if (h.seen == 0) h.runs[h.seen++] = calls;
        for (std::size_t k = 0; k < h.kept_runs(); ++k) h.runs[k] = std::max(h.runs[k], calls);
    }
    ended_.clear();
}

const std::vector<usage::habit>& usage::all()
{
    take_ended();
    return habits_;
}

void usage::forget()
{
    habits_.clear();
    const std::lock_guard lock(ended_guard_);
    ended_.clear();
}

void usage::note_run(std::uint32_t recipe, std::size_t calls)
{
    take_ended();
    habit& h = of(recipe);
    h.runs[h.seen++ % h.runs.size()] = calls;
}

} // namespace skelrt::detail
