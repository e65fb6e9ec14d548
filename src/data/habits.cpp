#include "src/data/habits.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace skelrt::detail
{

namespace
{

struct habit {
    float home = 0.5f;
    std::optional<bool> usually_home;
    std::array<std::size_t, 3> runs{};
    std::size_t seen = 0;
};

std::vector<habit>& habits()
{
    static auto& all = *new std::vector<habit>; // never destroyed: containers may outlive static destructors
    return all;
}

habit& habit_of(std::uint32_t recipe)
{
    if (recipe >= habits().size()) habits().resize(recipe + 1);
    return habits()[recipe];
}

} // namespace

double goes_home(std::uint32_t recipe, double until_known)
{
    const habit& h = habit_of(recipe);
    return h.usually_home ? h.home : until_known;
}

bool usually_goes_home(std::uint32_t recipe) { return habit_of(recipe).usually_home.value_or(false); }

void note_home(std::uint32_t recipe, bool home)
{
    constexpr float nearly_all = 0.9f;
    habit& h = habit_of(recipe);
    h.home = (h.home + (home ? 1.0f : 0.0f)) / 2;
    if (!h.usually_home || h.home > nearly_all || h.home < 1 - nearly_all) h.usually_home = home;
}

std::size_t usual_run(std::uint32_t recipe)
{
    const habit& h = habit_of(recipe);
    return *std::min_element(h.runs.begin(), h.runs.begin() + static_cast<std::ptrdiff_t>(
                                                                  std::clamp<std::size_t>(h.seen, 1, h.runs.size())));
}

void forget_habits() noexcept { habits().clear(); }

void note_run(std::uint32_t recipe, std::size_t calls)
{
    habit& h = habit_of(recipe);
    h.runs[h.seen++ % h.runs.size()] = calls;
}

} // namespace skelrt::detail
