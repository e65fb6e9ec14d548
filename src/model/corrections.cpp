// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/corrections.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <new>
#include <span>

namespace skelrt::detail
{

namespace
{

constexpr double weight = 0.4;          ///< of the newest call
constexpr double least = 0.5, most = 8; ///< beyond, something else went on
constexpr double forgets = 0.995;       ///< per call that somebody else got

/// Sizes within a factor of two are one.
std::uint64_t key_of(std::uint32_t recipe, std::size_t size)
{
    return std::uint64_t{recipe} << 8 | static_cast<unsigned>(std::bit_width(size));
}

void note_in(std::span<double> known, unsigned who, double ratio)
{
    for (unsigned k = 0; k < known.size(); ++k)
        if (k != who) known[k] *= forgets;
    known[who] = (1 - weight) * known[who] + weight * ratio; // the first may be a wild one, too
}

} // namespace

corrections::of_parties& corrections::known(std::uint32_t recipe, std::size_t size)
{
    const auto [it, is_new] = by_kind_.try_emplace(key_of(recipe, size));
    if (is_new && earlier_)
        for (const entry& e : earlier_(recipe, static_cast<unsigned>(std::bit_width(size))))
            it->second[std::min(e.who, parties - 1)] = std::log(e.ratio);
    return it->second;
}

double corrections::turned_out(const call_kind& what, unsigned who) noexcept
try {
    who = std::min(who, parties - 1);
    const std::lock_guard lock(guard_);
    if (const double seen = known(what.recipe, what.elements)[who]; seen != 0) return std::exp(seen);
    return std::exp(known(any_recipe, what.bytes)[who]);
} catch (const std::bad_alloc&) { // as if nobody knew
    return 1;
}

void corrections::note(const call_kind& what, unsigned who, double ratio) noexcept
{
    if (!(ratio > 0) || !std::isfinite(ratio)) return;
    const double now = std::log(std::clamp(ratio, least, most));
    who = std::min(who, parties - 1);
    const std::lock_guard lock(guard_);
    try {
        note_in(known(what.recipe, what.elements), who, now);
        note_in(known(any_recipe, what.bytes), who, now);
    } catch (const std::bad_alloc&) { // one correction less
    }
}

std::vector<corrections::entry> corrections::all() const
{
    const std::lock_guard lock(guard_);
    std::vector<entry> entries;
    for (const auto& [key, known] : by_kind_)
        for (unsigned who = 0; who < parties; ++who)
            if (known[who] != 0)
                entries.push_back({static_cast<std::uint32_t>(key >> 8), static_cast<unsigned>(key & 0xff), who,
                                   std::exp(known[who])});
    return entries;
}

void corrections::forget() noexcept
{
    const std::lock_guard lock(guard_);
    by_kind_.clear();
}

} // namespace skelrt::detail
