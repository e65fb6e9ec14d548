// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/trace/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <tuple>

namespace skelrt::tool
{

namespace
{

using row_id = std::pair<int, int>;

/// When a call's tasks ran.
struct task_span {
    double begin_us = 1e300, end_us = 0;
    bool known = true; ///< all ends are
    double us() const { return end_us - begin_us; }
};

std::map<std::pair<int, std::uint64_t>, task_span> spans_of_tasks(const trace_events& t)
{
    std::map<std::pair<int, std::uint64_t>, task_span> all;
    for (const traced_event& e : t.all) {
        if (e.kind != event_kind::task || e.call == 0) continue;
        task_span& s = all[{e.rank, e.call}];
        s.begin_us = std::min(s.begin_us, e.begin_us);
        s.end_us = std::max(s.end_us, e.end_us());
        s.known = s.known && !e.ends_unknown;
    }
    return all;
}

std::string ms(double us) { return fmt::format("{:.3f}", us * 1e-3); }

std::string bytes_text(double bytes)
{
    if (bytes >= 1e9) return fmt::format("{:.2f} GB", bytes * 1e-9);
    if (bytes >= 1e6) return fmt::format("{:.1f} MB", bytes * 1e-6);
    return fmt::format("{:.1f} kB", bytes * 1e-3);
}

/// "rank 2: core 0"; without the rank, if there is one.
std::string row_text(const trace_events& t, const row_id& row)
{
    const auto found = t.rows.find(row);
    const std::string name = found == t.rows.end() ? "?" : found->second.name;
    return t.ranks.size() > 1 ? fmt::format("rank {}: {}", row.first, name) : name;
}

std::string heading(const trace_events& t)
{
    std::string text;
    const auto out = std::back_inserter(text);
    const std::size_t calls =
                          static_cast<std::size_t>(std::ranges::count(t.all, event_kind::call, &traced_event::kind)),
                      tasks =
                          static_cast<std::size_t>(std::ranges::count(t.all, event_kind::task, &traced_event::kind));
    fmt::format_to(out, "{} on {}: {} ms from the first event to the last, {} calls or rows of them, {} tasks\n",
                   t.ranks[0].program, t.ranks[0].host, ms(t.end_us() - t.begin_us()), calls, tasks);
    if (t.ranks[0].ranks > 1) fmt::format_to(out, "  {} of {} ranks\n", t.ranks.size(), t.ranks[0].ranks);
    for (const traced_rank& r : t.ranks)
        if (r.lost > 0)
            fmt::format_to(out, "  {}{} older records made room for these; SKELRT_TRACE_MB={} keeps twice as many\n",
                           t.ranks.size() > 1 ? fmt::format("rank {}: ", r.rank) : "", r.lost, 2 * r.megabytes);
    return text;
}

std::string utilisation(const trace_events& t)
{
    const double all = std::max(t.end_us() - t.begin_us(), 1e-3);
    std::string text = fmt::format("\n{:>12} {:>6}  where\n", "busy ms", "share");
    for (const auto& [row, us] : busy_us(t)) {
        const auto found = t.rows.find(row);
        if (found != t.rows.end() && found->second.kind == row_kind::device)
            fmt::format_to(std::back_inserter(text), "{:>12} {:>4.0f} %  {}\n", ms(us), 100 * us / all,
                           row_text(t, row));
    }
    return text;
}

std::string longest_calls(const trace_events& t)
{
    constexpr std::size_t most = 10;
    std::vector<call_sum> sums = sums_of_calls(t);
    std::string text = fmt::format("\n{:>12} {:>8} {:>11} {:>11} {:>11} {:>14}  {}\n", "ms", "calls", "us a call",
                                   "planned us", "queued us", "size", "call, device");
    for (const call_sum& s : std::span(sums).first(std::min(sums.size(), most))) {
        const double n = static_cast<double>(s.calls);
        fmt::format_to(std::back_inserter(text), "{:>12} {:>8} {:>11.1f} {:>11} {:>11.1f} {:>14}  {}, {}\n", ms(s.us),
                       s.calls, s.us / n, s.planned_us > 0 ? fmt::format("{:.1f}", s.planned_us / n) : "-",
                       s.queued_us / n, s.size, s.name, s.device);
    }
    if (sums.size() > most) fmt::format_to(std::back_inserter(text), "{:>12} more\n", sums.size() - most);
    return text;
}

std::string planned_beside_taken(const trace_events& t)
{
    double planned = 0, taken = 0;
    for (const call_sum& s : sums_of_calls(t)) planned += s.planned_us, taken += s.taken_us;
    if (planned <= 0) return {};
    return fmt::format("\nplanned {} ms, taken {} ms by these calls: {:.2f} of the plan\n", ms(planned), ms(taken),
                       taken / planned);
}

struct sum_of_events {
    std::size_t times = 0;
    double us = 0, longest_us = 0, bytes = 0;
};

/// Of one kind, by row and name; an item's number does not count as its name.
std::map<std::pair<row_id, std::string>, sum_of_events> sums_of(const trace_events& t, event_kind kind)
{
    std::map<std::pair<row_id, std::string>, sum_of_events> all;
    for (const traced_event& e : t.all) {
        if (e.kind != kind) continue;
        const std::string name = kind == event_kind::item ? e.name.substr(0, e.name.rfind(": ")) : e.name;
        sum_of_events& s = all[{row_id{e.rank, e.row}, name}];
        ++s.times;
        s.us += e.us;
        s.longest_us = std::max(s.longest_us, e.us);
        s.bytes += e.bytes;
    }
    return all;
}

std::string table_of(const trace_events& t, event_kind kind, const char* title)
{
    const auto all = sums_of(t, kind);
    if (all.empty()) return {};
    std::string text = fmt::format("\n{:>12} {:>8} {:>11}  {}\n", "ms", "times", "longest us", title);
    for (const auto& [what, s] : all)
        fmt::format_to(std::back_inserter(text), "{:>12} {:>8} {:>11.1f}  {}: {}\n", ms(s.us), s.times, s.longest_us,
                       row_text(t, what.first), what.second);
    return text;
}

std::string copies(const trace_events& t)
{
    std::map<std::pair<int, std::string>, sum_of_events> all;
    for (const auto& [what, s] : sums_of(t, event_kind::copy)) {
        sum_of_events& sum = all[{what.first.first, what.second}];
        sum.times += s.times;
        sum.bytes += s.bytes;
    }
    std::string text;
    for (const auto& [what, s] : all)
        fmt::format_to(std::back_inserter(text), "{}copied {}{}: {} in {} cop{}\n", text.empty() ? "\n" : "",
                       t.ranks.size() > 1 ? fmt::format("by rank {}, ", what.first) : "", what.second,
                       bytes_text(s.bytes), s.times, s.times == 1 ? "y" : "ies");
    return text;
}

} // namespace

std::vector<call_sum> sums_of_calls(const trace_events& t)
{
    const auto spans = spans_of_tasks(t);
    std::map<std::tuple<std::string, std::string, std::string>, call_sum> all;
    for (const traced_event& e : t.all) {
        if (e.kind != event_kind::call) continue;
        call_sum& s = all.try_emplace({e.name, e.size, e.device}, call_sum{e.name, e.size, e.device}).first->second;
        const auto tasks = spans.find({e.rank, e.call});
        const bool has_tasks = tasks != spans.end();
        const double us = has_tasks ? tasks->second.us() : e.us;
        s.calls += e.times;
        s.us += us;
        if (has_tasks) s.queued_us += std::max(0.0, tasks->second.begin_us - e.begin_us);
        if (e.planned_us <= 0 || (has_tasks && !tasks->second.known)) continue;
        s.planned_us += e.planned_us * static_cast<double>(e.times);
        s.taken_us += us;
    }
    std::vector<call_sum> sums;
    for (auto& [key, s] : all) sums.push_back(std::move(s));
    std::ranges::stable_sort(sums, std::ranges::greater{}, &call_sum::us);
    return sums;
}

std::map<row_id, double> busy_us(const trace_events& t)
{
    std::map<row_id, double> busy, until;
    for (const traced_event& e : t.all) { // in the order of their begins
        if (e.kind == event_kind::wait) continue;
        double& end = until[{e.rank, e.row}];
        busy[{e.rank, e.row}] += std::max(0.0, e.end_us() - std::max(end, e.begin_us));
        end = std::max(end, e.end_us());
    }
    return busy;
}

std::string report_text(const trace_events& t)
{
    if (t.all.empty()) return heading(t) + "\nno calls\n";
    return heading(t) + utilisation(t) + longest_calls(t) + planned_beside_taken(t) +
           table_of(t, event_kind::wait, "who waited, for what") +
           table_of(t, event_kind::item, "who ran items, of what") + copies(t);
}

} // namespace skelrt::tool
