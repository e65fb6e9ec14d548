// SPDX-License-Identifier: BSD-3-Clause
#include "src/farm/pool.hpp"

#include <skelrt/detail/items/trees.hpp>

#include <algorithm>
#include <cmath>

namespace skelrt::detail
{

/// Our part of a split, some 50 ns, is little beside 5 us. Some problems for each core are enough for all cores to end
/// together. In between it is a question of which way is less work, and both are tried.
bool tree_cut_off::splits(double size, double of_root, unsigned cores) const noexcept
{
    constexpr double long_enough_us = 5, problems_a_core = 32;
    const std::optional<double> us = solved_.at(size), all_us = solved_.at(of_root);
    if (!us || !all_us) return cores > 1; // to something that is soon solved
    if (*us <= long_enough_us) return false;
    if (cores > 1 && *us > *all_us / (problems_a_core * cores)) return true;
    return is_less_work_split(size);
}

/// What was seen, but for a few times: the other way is tried again and again, for it may have had bad luck.
bool tree_cut_off::is_less_work_split(double size) const noexcept
{
    constexpr unsigned tries = 2, one_of = 32;
    const unsigned solved = solved_.seen(size), split = split_.seen(size);
    if (solved < tries + split / one_of) return false;
    if (split < tries + solved / one_of) return true;
    return *split_.at(size) < *solved_.at(size);
}

std::optional<double> tree_cut_off::known_us(double size) const noexcept
{
    const std::optional<double> solved = solved_.at(size);
    if (!solved || split_.seen(size) == 0) return solved;
    return std::min(*solved, *split_.at(size));
}

/// As of the nearest size that is known, of a smaller one if there is one: those come first.
std::optional<double> tree_cut_off::curve::at(double size) const noexcept
{
    const auto us_of_one = [](const octave& o) { return double{o.us_of_one.load(std::memory_order_relaxed)}; };
    const auto is_known = [&](const octave& o) { return us_of_one(o) > 0; };
    const auto behind = all_.begin() + static_cast<std::ptrdiff_t>(octave_of(size)) + 1;
    const auto smaller = std::find_if(std::make_reverse_iterator(behind), all_.rend(), is_known);
    if (smaller != all_.rend()) return us_of_one(*smaller) * size;
    const auto larger = std::find_if(behind, all_.end(), is_known);
    if (larger != all_.end()) return us_of_one(*larger) * size;
    return std::nullopt;
}

unsigned tree_cut_off::curve::seen(double size) const noexcept
{
    return all_[octave_of(size)].seen.load(std::memory_order_relaxed);
}

/// Something else may have had the core: what took longer than before counts for less, and never for more than twice.
void tree_cut_off::curve::note(double size, double us) noexcept
{
    constexpr float weight_of_shorter = 0.5f, weight_of_longer = 0.1f;
    if (!(size > 0)) return;
    octave& known = all_[octave_of(size)];
    const auto now = static_cast<float>(std::max(us, 1e-3) / size);
    const float before = known.us_of_one.load(std::memory_order_relaxed);
    const float change =
        now < before ? weight_of_shorter * (now - before) : weight_of_longer * std::min(now - before, before);
    known.us_of_one.store(before > 0 ? before + change : now, std::memory_order_relaxed);
    known.seen.fetch_add(1, std::memory_order_relaxed);
}

std::size_t tree_cut_off::curve::octave_of(double size) noexcept
{
    if (!(size >= 2)) return 0;
    return std::min(static_cast<std::size_t>(std::ilogb(size)), octaves - 1);
}

unsigned cores_of_trees() noexcept { return item_pool::get().cores(); }

} // namespace skelrt::detail
