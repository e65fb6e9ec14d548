// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/knowledge.hpp"

#include "src/model/files/record_reader.hpp"
#include "src/model/files/record_writer.hpp"

#include <skelrt/detail/element_costs.hpp>

#include <utility>

namespace skelrt::detail
{

knowledge::knowledge(std::function<std::vector<std::uint64_t>()> recipe_keys)
    : usage([this](std::uint32_t recipe) { return recall_usage(recipe); }),
      strategies([this](const episode_start& start, const std::vector<std::string>& names) {
          return recall_episodes(start, names);
      }),
      recipe_keys_(std::move(recipe_keys))
{
}

void knowledge::begin(std::vector<known_device> devices)
{
    write(usage.all());
    strategies.begin_anew({}, {});
    if (devices == devices_) return;
    links.forget();
    devices_ = std::move(devices);
    recall_links();
}

void knowledge::learn(records from)
{
    models.learn(std::exchange(from.models, {}));
    {
        const std::lock_guard lock(guard_);
        merge(written_, from);
    }
    recall_links();
}

void knowledge::recall_links()
{
    const std::lock_guard lock(guard_);
    for (unsigned d = 0; d < devices_.size(); ++d)
        if (const auto it = written_.links.find(devices_[d].key); it != written_.links.end())
            links.add(d, {it->second.what.best, it->second.what.second});
}

std::optional<usage::habit> knowledge::recall_usage(std::uint32_t recipe)
{
    const std::vector<std::uint64_t> keys = recipe_keys_();
    const std::lock_guard lock(guard_);
    return record_reader(written_, keys, devices_).usage_of(recipe);
}

std::vector<episode_book::seen_episodes> knowledge::recall_episodes(const episode_start& start,
                                                                    const std::vector<std::string>& names)
{
    const std::vector<std::uint64_t> keys = recipe_keys_();
    const std::lock_guard lock(guard_);
    return record_reader(written_, keys, devices_).episodes_from(start, names);
}

/// All but the models, which have no records: their runs have dates.
void knowledge::write(const std::vector<usage::habit>& used)
{
    const std::vector<std::uint64_t> keys = recipe_keys_();
    const auto rates = links.all();
    const auto episodes = strategies.all();
    const std::lock_guard lock(guard_); // the parts recall what is written while they hold theirs
    record_writer writer(written_, keys, devices_, wall_clock_us());
    writer.write(used);
    writer.write(rates);
    writer.write(episodes);
    prune(written_);
    news_ += writer.news();
}

records knowledge::write_down(const std::vector<usage::habit>& used, std::uint64_t* news)
{
    write(used);
    std::uint64_t observed = 0;
    history runs = models.runs(&observed);
    const std::lock_guard lock(guard_);
    if (news) *news = news_ + observed;
    records all = written_;
    all.models = std::move(runs);
    return all;
}

void knowledge::forget()
{
    models.forget();
    usage.forget();
    links.forget();
    strategies.forget();
    element_costs::forget_all();
    const std::lock_guard lock(guard_);
    written_ = {};
}

} // namespace skelrt::detail
