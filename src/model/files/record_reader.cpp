// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/files/record_reader.hpp"

#include <algorithm>

namespace skelrt::detail
{

std::optional<usage::habit> record_reader::usage_of(std::uint32_t recipe) const
{
    if (recipe >= recipe_keys_.size()) return std::nullopt;
    const auto it = from_.usage.find(recipe_keys_[recipe]);
    if (it == from_.usage.end()) return std::nullopt;
    const usage_record& r = it->second.what;
    usage::habit h;
    h.home = static_cast<float>(r.home);
    h.usually_home = r.usually_home;
    h.seen = std::min(r.runs.size(), h.runs.size());
    std::copy_n(r.runs.begin(), h.seen, h.runs.begin());
    return h;
}

std::optional<episode_start> record_reader::start_of(const std::optional<start_record>& r) const
{
    if (!r) return std::nullopt;
    const auto it = std::ranges::find(recipe_keys_, r->recipe);
    if (it == recipe_keys_.end()) return std::nullopt;
    return episode_start{static_cast<std::uint32_t>(it - recipe_keys_.begin()), r->shape, r->places};
}

episode_book::seen_episodes record_reader::seen(const episode_start& start, unsigned length, const strategy_record& s,
                                                std::span<const std::string> names) const
{
    const auto known = [](double us) { return us > 0 ? us : recent_times::never; };
    episode_book::seen_episodes e{start, length, s.episodes, {}, known(s.cores_promise_us), s.in_last_process};
    for (std::size_t way = 0; way < names.size(); ++way) {
        const auto it = s.ways.find(names[way]);
        if (it == s.ways.end()) continue;
        const way_record& w = it->second;
        e.ways.push_back({way, w.episodes, w.us, w.least_us, known(w.rest_us), start_of(w.next)});
    }
    return e;
}

std::vector<episode_book::seen_episodes> record_reader::episodes_from(const episode_start& start,
                                                                      std::span<const std::string> names) const
{
    std::vector<episode_book::seen_episodes> found;
    if (start.recipe >= recipe_keys_.size()) return found;
    const strategy_key first{text_of(devices_), {recipe_keys_[start.recipe], start.shape, start.places}, 0};
    for (auto it = from_.strategies.lower_bound(first);
         it != from_.strategies.end() && it->first.devices == first.devices && it->first.start == first.start; ++it)
        found.push_back(seen(start, it->first.length, it->second.what, names));
    return found;
}

} // namespace skelrt::detail
