// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/model/times/history.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// What is learnt, as data: what a machine's file keeps of it. Everything has the name that the next process gives it,
/// too: recipes by recipe::key, devices by kind, number and product. Pure.
namespace skelrt::detail
{

/// Of two that tell of the same, the newer one is right.
template <class Value>
struct dated {
    Value what;
    std::int64_t when = 0; ///< it was found to have changed: microseconds since 1970
    friend auto operator<=>(const dated&, const dated&) = default;
};

/// What programs do with the results of a recipe; see usage.
struct usage_record {
    double home = 0.5;
    std::optional<bool> usually_home;
    std::vector<std::size_t> runs; ///< the last ones, in no order
    friend auto operator<=>(const usage_record&, const usage_record&) = default;
};

/// Bytes per microsecond; see links. By device.
struct link_record {
    double best = 0, second = 0;
    friend auto operator<=>(const link_record&, const link_record&) = default;
};

/// How an episode begins; see episode_start.
struct start_record {
    std::uint64_t recipe = 0, shape = 0, places = 0;
    friend auto operator<=>(const start_record&, const start_record&) = default;
};

/// Episodes that begin alike and are about equally long, on these devices.
struct strategy_key {
    std::string devices; ///< all that ran, and the memory of each: numbers of memories make `places`
    start_record start;
    unsigned length = 0; ///< bits of the number of calls
    friend auto operator<=>(const strategy_key&, const strategy_key&) = default;
};

/// What such episodes took on one way; microseconds.
struct way_record {
    std::size_t episodes = 0;
    double us = 0, least_us = 0;
    double rest_us = 0; ///< of a split: until those were done that had the rest; 0: nobody knows
    std::optional<start_record> next;
    friend auto operator<=>(const way_record&, const way_record&) = default;
};

struct strategy_record {
    std::size_t episodes = 0;
    std::map<std::string, way_record> ways; ///< that were taken, by what they are called
    double cores_promise_us = 0;            ///< of an episode that was all that its process did; 0: nobody knows
    std::size_t in_last_process = 0;        ///< of the episodes; 0: nobody knows
    friend auto operator<=>(const strategy_record&, const strategy_record&) = default;
};

struct records {
    history models;
    std::map<std::uint64_t, dated<usage_record>> usage; ///< by recipe::key
    std::map<std::string, dated<link_record>> links;    ///< by device
    std::map<strategy_key, dated<strategy_record>> strategies;
};

/// Adds what `from` knows; in any order, any number of times: the same comes out.
void merge(records& to, const records& from);

/// How many of each are kept, those that changed last. Reading takes time at every start, some 100 ms a MB: full to the
/// bounds, what is no run of a codelet comes to 0.4 MB, and to 1 MB if every episode was tried in every split. A recipe
/// has one usage, and few sizes and strategies.
struct record_bounds {
    std::size_t codelets = 500, usage = 500, links = 64, strategies = 250;
};
void prune(records& r, const record_bounds& most = {});

/// All that is known of the recipes whose models `goes` points out; returns how many these are.
std::size_t forget(records& r, const std::function<bool(std::uint64_t key, const codelet_runs&)>& goes);

/// One thing a line. `machine`: whose records they are.
std::string to_json(const records& r, const std::string& machine);
/// Also of files that have models alone, of the format before. Throws error saying what is wrong: no JSON, another
/// version, fields that are missing or make no sense. With a `machine`, of another one, too.
records records_from_json(const std::string& text, const std::string& machine = "");

} // namespace skelrt::detail
