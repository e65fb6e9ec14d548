// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/files/records.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <tuple>
#include <vector>

namespace skelrt::detail
{

namespace
{

template <class Key, class Value>
void merge_newer(std::map<Key, dated<Value>>& to, const std::map<Key, dated<Value>>& from)
{
    const auto age = [](const dated<Value>& d) {
        return std::tie(d.when, d.what);
    }; // of one moment the larger: any order
    for (const auto& [key, theirs] : from) {
        const auto [ours, is_new] = to.try_emplace(key, theirs);
        if (!is_new && age(ours->second) < age(theirs)) ours->second = theirs;
    }
}

/// What is noted together has one date, so the key decides, too: nothing goes beyond the bound.
template <class Key, class Value>
void keep_newest(std::map<Key, dated<Value>>& all, std::size_t most)
{
    if (all.size() <= most) return;
    std::vector<typename std::map<Key, dated<Value>>::iterator> entries;
    for (auto it = all.begin(); it != all.end(); ++it) entries.push_back(it);
    std::ranges::stable_sort(entries, std::ranges::greater{}, [](const auto& it) { return it->second.when; });
    for (std::size_t k = most; k < entries.size(); ++k) all.erase(entries[k]);
}

} // namespace

void merge(records& to, const records& from)
{
    merge(to.models, from.models);
    merge_newer(to.usage, from.usage);
    merge_newer(to.links, from.links);
    merge_newer(to.strategies, from.strategies);
}

void prune(records& r, const record_bounds& most)
{
    prune(r.models, most.codelets);
    keep_newest(r.usage, most.usage);
    keep_newest(r.links, most.links);
    keep_newest(r.strategies, most.strategies);
}

std::size_t forget(records& r, const std::function<bool(std::uint64_t key, const codelet_runs&)>& goes)
{
    std::set<std::uint64_t> gone;
    for (const auto& [key, codelet] : r.models)
        if (goes(key, codelet)) gone.insert(key);
    const auto is_gone = [&](std::uint64_t key) { return gone.contains(key); };
    std::erase_if(r.models, [&](const auto& entry) { return is_gone(entry.first); });
    std::erase_if(r.usage, [&](const auto& entry) { return is_gone(entry.first); });
    std::erase_if(r.strategies, [&](const auto& entry) { return is_gone(entry.first.start.recipe); });
    return gone.size();
}

} // namespace skelrt::detail
