// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/model/episode_book.hpp"
#include "src/model/files/records.hpp"
#include "src/model/machine/device_key.hpp"
#include "src/model/usage.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace skelrt::detail
{

/// What a process makes of records: the same things under its own numbers. The opposite of record_writer. Pure.
class record_reader
{
public:
    /// `recipe_keys`: by the number of the recipe, of all that this process has met. `devices`: by number.
    record_reader(const records& from, std::span<const std::uint64_t> recipe_keys,
                  const std::vector<known_device>& devices)
        : from_(from), recipe_keys_(recipe_keys), devices_(devices)
    {
    }

    std::optional<usage::habit> usage_of(std::uint32_t recipe) const;
    /// Of each length. `names`: of the ways; others are left out, as are followers whose recipe nobody has met.
    std::vector<episode_book::seen_episodes> episodes_from(const episode_start& start,
                                                           std::span<const std::string> names) const;

private:
    episode_book::seen_episodes seen(const episode_start& start, unsigned length, const strategy_record& s,
                                     std::span<const std::string> names) const;
    std::optional<episode_start> start_of(const std::optional<start_record>& r) const;

    const records& from_;
    std::span<const std::uint64_t> recipe_keys_;
    const std::vector<known_device>& devices_;
};

} // namespace skelrt::detail
