#include "src/model/usage.hpp"

#include <algorithm>

namespace skelrt::detail
{

usage::habit& usage::grown_to(std::uint32_t recipe)
{
    if (recipe >= habits_.size()) habits_.resize(recipe + 1);
    return habits_[recipe];
}

double usage::goes_home(std::uint32_t recipe, double until_known) const noexcept
{
    const habit h = of(recipe);
    return h.usually_home ? h.home : until_known;
}

bool usage::usually_goes_home(std::uint32_t recipe) const noexcept { return of(recipe).usually_home.value_or(false); }

void usage::note_home(std::uint32_t recipe, bool home)
{
    constexpr float nearly_all = 0.9f;
    habit& h = grown_to(recipe);
    h.home = (h.home + (home ? 1.0f : 0.0f)) / 2;
    if (!h.usually_home || h.home > nearly_all || h.home < 1 - nearly_all) h.usually_home = home;
}

std::size_t usage::usual_run(std::uint32_t recipe) const noexcept
{
    const habit h = of(recipe);
    const auto known = static_cast<std::ptrdiff_t>(std::max<std::size_t>(h.kept_runs(), 1));
    return *std::min_element(h.runs.begin(), h.runs.begin() + known);
}

void usage::note_run(std::uint32_t recipe, std::size_t calls)
{
    habit& h = grown_to(recipe);
    h.runs[h.seen++ % h.runs.size()] = calls;
}

} // namespace skelrt::detail
