// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/faults/races.hpp"

#include "src/data/memory/host_storage.hpp"
#include "src/data/parts/rectangle_handle.hpp"
#include "src/runtime/log.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <exception>
#include <memory>
#include <optional>

namespace skelrt::detail
{

namespace
{

std::string text_of(const use_history::use& u)
{
    const char* const does = u.how == data_use::reads ? "reads" : u.how == data_use::writes ? "writes" : "changes";
    const std::string& item = u.when.on->name();
    return fmt::format("{}{}{} {}", u.by, item.empty() ? "" : " in ", item, does);
}

std::string report(const storage& s, const use_history::use& now, const use_history::use& before)
{
    return fmt::format("{} elements of a container of {} x {} that {}, and neither waits for the other: which is first "
                       "is up to chance (SKELRT_CHECK=races); wait for the farm or the future in between, or give each "
                       "its own data",
                       text_of(now), s.rows, s.cols, text_of(before));
}

std::optional<std::string> race_of(storage& s, const use_history::use& now)
{
    use_history* const history = host_part(s).uses.get();
    if (!history || !now.when.on || now.part.size() == 0) return {};
    const auto before = history->add(now);
    return before ? std::optional(report(s, now, *before)) : std::nullopt;
}

} // namespace

void watch_uses(storage& s)
{
    if (!watches_races()) return;
    s.watched = true;
    host_part(s).uses = std::make_unique<use_history>();
}

void check_races(storage& s, const rectangle& part, data_use how, const std::string& by)
{
    if (const auto found = race_of(s, {part, how, now(), by})) throw error(*found);
}

void report_races_at_end(storage& s) noexcept
{
    try {
        const char* const by = "the end of a container, or an assignment to it,";
        if (const auto found = race_of(s, {all_of(s), data_use::writes, now(), by})) log_error("{}", *found);
    } catch (const std::exception&) { // no memory: then nothing is found
    }
}

} // namespace skelrt::detail
