// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/model/files/records.hpp"
#include "src/model/machine/device_key.hpp"
#include "src/model/machine/links.hpp"
#include "src/model/strategies.hpp"
#include "src/model/times/model.hpp"
#include "src/model/usage.hpp"

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace skelrt::detail
{

/// All that is learnt from calls: what they take, what programs do with their results, and how they are placed best.
/// What earlier processes learnt is here, too: their models with ours, the rest as records, which are recalled when the
/// recipe, the size or the episode comes up that they are about.
///
/// Lifetime: the process's, as that of the recipes and call sites that it is about. So a second runtime goes on where
/// the first one ended, and workers may outlive static destructors. start_engine.cpp makes the only one; others know it
/// as running::learnt.
/// Threads: as each part says; records: any. A part that recalls something holds its own lock then.
class knowledge
{
public:
    /// `recipe_keys` tells the keys of all recipes so far, by number.
    explicit knowledge(std::function<std::vector<std::uint64_t>()> recipe_keys);
    knowledge(const knowledge&) = delete;
    knowledge& operator=(const knowledge&) = delete;

    /// A runtime starts on these devices, in the order of its targets. Numbers of devices mean nothing any more if they
    /// are others than before, and episodes have new ways. What was learnt stays among the records. While nobody else
    /// is there.
    void begin(std::vector<known_device> devices);

    /// Adds what earlier processes learnt.
    void learn(records from);
    /// All there is, to be saved; `used` is the usage now, which the order's lock guards. `news`: how often something
    /// was new so far.
    records write_down(const std::vector<usage::habit>& used, std::uint64_t* news = nullptr);

    /// As if nothing had ever run; files stay. Caller holds the order's lock.
    void forget();

    detail::models models;
    detail::usage usage;
    detail::links links;
    detail::strategies strategies;

private:
    void write(const std::vector<usage::habit>& used);
    std::optional<detail::usage::habit> recall_usage(std::uint32_t recipe);
    std::vector<episode_book::seen_episodes> recall_episodes(const episode_start& start,
                                                             const std::vector<std::string>& names);
    void recall_links();

    std::function<std::vector<std::uint64_t>()> recipe_keys_;
    std::vector<known_device> devices_;
    std::mutex guard_; ///< of what follows
    records written_;  ///< but for the models
    std::uint64_t news_ = 0;
};

} // namespace skelrt::detail
