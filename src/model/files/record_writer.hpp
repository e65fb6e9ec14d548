// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/model/files/records.hpp"
#include "src/model/machine/device_key.hpp"
#include "src/model/machine/links.hpp"
#include "src/model/strategies.hpp"
#include "src/model/usage.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace skelrt::detail
{

/// Writes down what a process has learnt, under the names that the next one knows. What says something else than was
/// written before gets a new date; so nobody who learns needs to look at a clock. Pure.
class record_writer
{
public:
    /// `recipe_keys`: by the number of the recipe. `devices`: by number.
    record_writer(records& to, std::span<const std::uint64_t> recipe_keys, const std::vector<known_device>& devices,
                  std::int64_t now)
        : to_(to), recipe_keys_(recipe_keys), devices_(devices), now_(now)
    {
    }

    /// Of recipes that share a key, the last one's counts.
    void write(const std::vector<usage::habit>& by_recipe);
    void write(const std::vector<links::rates>& by_device);
    void write(const strategies::snapshot& all);

    /// How many things were new.
    std::uint64_t news() const noexcept { return news_; }

private:
    template <class Key, class Value>
    void write(std::map<Key, dated<Value>>& all, const Key& key, Value value);
    start_record record_of(const episode_start& s) const { return {recipe_keys_[s.recipe], s.shape, s.places}; }

    records& to_;
    std::span<const std::uint64_t> recipe_keys_;
    const std::vector<known_device>& devices_;
    std::int64_t now_;
    std::uint64_t news_ = 0;
};

} // namespace skelrt::detail
