// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/files/record_writer.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace skelrt::detail
{

namespace
{

/// Files stay readable.
double rounded(double value, double per_unit) { return std::round(value * per_unit) / per_unit; }

double rounded_us(double us)
{
    constexpr double least_us = 1e-3;
    return std::max(rounded(us, 1 / least_us), least_us);
}

} // namespace

template <class Key, class Value>
void record_writer::write(std::map<Key, dated<Value>>& all, const Key& key, Value value)
{
    const auto [known, is_new] = all.try_emplace(key);
    if (!is_new && known->second.what == value) return;
    known->second = {std::move(value), now_};
    ++news_;
}

void record_writer::write(const std::vector<usage::habit>& by_recipe)
{
    std::map<std::uint64_t, const usage::habit*> by_key;
    for (std::size_t recipe = 0; recipe < by_recipe.size() && recipe < recipe_keys_.size(); ++recipe)
        if (const usage::habit& h = by_recipe[recipe]; h.usually_home || h.seen > 0) by_key[recipe_keys_[recipe]] = &h;
    for (const auto& [key, h] : by_key) {
        constexpr double parts = 1e4;
        const auto runs = h->runs.begin();
        write(to_.usage, key,
              usage_record{rounded(h->home, parts),
                           h->usually_home,
                           {runs, runs + static_cast<std::ptrdiff_t>(h->kept_runs())}});
    }
}

void record_writer::write(const std::vector<links::rates>& by_device)
{
    for (std::size_t d = 0; d < by_device.size() && d < devices_.size(); ++d)
        if (by_device[d].best > 0 && std::isfinite(by_device[d].best))
            write(to_.links, devices_[d].key,
                  link_record{rounded(by_device[d].best, 1), rounded(by_device[d].second, 1)});
}

void record_writer::write(const strategies::snapshot& all)
{
    const std::string devices = text_of(devices_);
    std::map<strategy_key, strategy_record> by_key;
    for (const episode_book::seen_episodes& e : all.episodes) {
        if (e.ways.empty() || e.start.recipe >= recipe_keys_.size()) continue;
        strategy_record& s = by_key[{devices, record_of(e.start), e.length}];
        if (s.episodes > e.episodes) continue; // another place in the program, which has more to tell
        s = {e.episodes, {}, std::isfinite(e.cores_promise_us) ? rounded_us(e.cores_promise_us) : 0, e.in_last_process};
        for (const episode_book::seen_way& w : e.ways) {
            way_record& r = s.ways[all.names[w.way]];
            r = {w.episodes, rounded_us(w.us), rounded_us(w.least_us), 0, {}};
            if (std::isfinite(w.rest_us)) r.rest_us = rounded_us(w.rest_us);
            if (w.next && w.next->recipe < recipe_keys_.size()) r.next = record_of(*w.next);
        }
    }
    for (auto& [key, s] : by_key) write(to_.strategies, key, std::move(s));
}

} // namespace skelrt::detail
