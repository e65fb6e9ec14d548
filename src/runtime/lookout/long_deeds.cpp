// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/lookout/long_deeds.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace skelrt::detail
{

namespace
{

double seconds(long_deeds::clock::duration d) { return std::chrono::duration<double>(d).count(); }

bool is_told(const seen_deed& s) { return s.what != deed::none && s.what != deed::item; }

std::string text_of(const seen_deed& s)
{
    return s.what == deed::build ? fmt::format("builds the kernels of {}", *s.name) : *s.name;
}

std::string listed(const std::vector<std::string>& who)
{
    if (who.size() == 1) return who.front();
    return fmt::format("{} and {} more", who.front(), who.size() - 1);
}

} // namespace

void long_deeds::follow(const std::vector<seen_deed>& seen, clock::time_point now)
{
    std::erase_if(ages_, [&](const auto& known) {
        return std::ranges::none_of(seen, [&](const seen_deed& s) { return s.by == known.first && is_told(s); });
    });
    for (const seen_deed& s : seen) {
        if (!is_told(s)) continue;
        age& a = ages_.try_emplace(s.by, age{s.number, now}).first->second;
        if (a.number != s.number) a = {s.number, now};
    }
}

bool long_deeds::is_due(clock::time_point now) const
{
    constexpr double part = 16; // of the time since the begin at most so often: long programs say little
    if (seconds(now - said_) < std::max(patience_.count(), seconds(now - begun_) / part)) return false;
    return std::ranges::any_of(ages_, [&](const auto& known) {
        const double old = seconds(now - known.second.since);
        return old >= patience_.count() && old >= 2 * known.second.told_s;
    });
}

std::string long_deeds::who(const seen_deed& s) const
{
    if (s.row == trace_record::team) return "all cores";
    if (s.row >= 0 && static_cast<std::size_t>(s.row) < workers_.size())
        return workers_[static_cast<std::size_t>(s.row)];
    return s.is_main ? "main thread" : "a thread";
}

std::map<std::string, long_deeds::line> long_deeds::lines(const std::vector<seen_deed>& seen, clock::time_point now)
{
    std::map<std::string, line> all;
    for (const seen_deed& s : seen) {
        const auto known = ages_.find(s.by);
        if (!is_told(s) || known == ages_.end()) continue;
        const double old = seconds(now - known->second.since);
        if (old < patience_.count()) continue;
        known->second.told_s = old;
        line& l = all[text_of(s)];
        l.who.push_back(who(s));
        l.seconds = std::max(l.seconds, old);
    }
    return all;
}

std::string long_deeds::look(const std::vector<seen_deed>& seen, int tasks, clock::time_point now)
{
    constexpr std::size_t most = 4; // of one line
    follow(seen, now);
    if (!is_due(now)) return {};
    said_ = now;
    const auto all = lines(seen, now);
    std::string text = "still at work";
    std::size_t told = 0;
    for (const auto& [what, l] : all) {
        if (told++ == most) break;
        text += fmt::format("{} {}: {}, {:.0f} s", told == 1 ? ":" : ";", listed(l.who), what, l.seconds);
    }
    if (all.size() > most) text += fmt::format("; {} more", all.size() - most);
    if (tasks > 0) text += fmt::format("; {} task{} to go", tasks, tasks == 1 ? "" : "s");
    for (const seen_deed& s : seen)
        if (s.what == deed::none) text += fmt::format("; {} was last given {}", who(s), *s.name);
    return text;
}

} // namespace skelrt::detail
