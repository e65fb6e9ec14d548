// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/programs/judge/explain.hpp"

#include "src/tool/trace/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <tuple>
#include <utility>

namespace bench
{
namespace
{

using skelrt::tool::call_sum;
using skelrt::tool::event_kind;
using skelrt::tool::row_kind;
using skelrt::tool::trace_events;
using skelrt::tool::traced_event;

/// "CUDA 0: copies in" -> "CUDA 0"; of copies home and of all else: nothing.
std::string filled_device(const trace_events& t, const traced_event& e)
{
    constexpr std::string_view in = ": copies in";
    const auto row = t.rows.find({e.rank, e.row});
    if (e.kind != event_kind::copy || row == t.rows.end() || !row->second.name.ends_with(in)) return {};
    return row->second.name.substr(0, row->second.name.size() - in.size());
}

/// How many copies each call waited for: those that were asked for since the last task that began on the device.
std::map<std::uint64_t, std::uint64_t> copies_of_calls(const trace_events& t)
{
    std::map<std::uint64_t, std::uint64_t> copies;
    std::map<std::string, std::uint64_t> asked;
    for (const traced_event& e : t.all) { // in the order of their begins
        if (const std::string device = filled_device(t, e); !device.empty()) ++asked[device];
        if (const auto row = t.rows.find({e.rank, e.row}); e.kind == event_kind::task && row != t.rows.end())
            copies[e.call] += std::exchange(asked[row->second.name], 0);
    }
    return copies;
}

using recipe_and_size = std::pair<std::string, std::string>;

std::map<recipe_and_size, double> us_a_call(const trace_events& t)
{
    std::map<recipe_and_size, std::pair<double, double>> sums;
    for (const call_sum& s : skelrt::tool::sums_of_calls(t)) {
        auto& [us, calls] = sums[{s.name, s.size}];
        us += s.us;
        calls += static_cast<double>(s.calls);
    }
    std::map<recipe_and_size, double> each;
    for (const auto& [what, sum] : sums) each[what] = sum.first / std::max(sum.second, 1.0);
    return each;
}

} // namespace

std::vector<call_cost> costs_of_calls(const trace_events& automatic, const trace_events& alone)
{
    const auto elsewhere = us_a_call(alone);
    const auto copies = copies_of_calls(automatic);
    std::map<std::tuple<std::string, std::string, std::string>, std::uint64_t> copied;
    for (const traced_event& e : automatic.all)
        if (const auto found = copies.find(e.call); e.kind == event_kind::call && e.call > 0 && found != copies.end())
            copied[{e.name, e.size, e.device}] += found->second;
    std::vector<call_cost> all;
    for (const call_sum& s : skelrt::tool::sums_of_calls(automatic)) {
        call_cost c{s.name, s.size, s.device, s.calls, copied[{s.name, s.size, s.device}], s.planned_us, s.us, 0};
        if (const auto found = elsewhere.find({s.name, s.size}); found != elsewhere.end())
            c.elsewhere_us = found->second * static_cast<double>(s.calls);
        all.push_back(std::move(c));
    }
    std::ranges::stable_sort(all, std::ranges::greater{}, &call_cost::lost_us);
    return all;
}

std::string costs_text(const std::vector<call_cost>& costs, const std::string& kind, double lost_us)
{
    constexpr std::size_t most = 8;
    std::string text = fmt::format("  {:>9} {:>7} {:>7} {:>11} {:>11} {:>11} {:>14}  {}\n", "lost ms", "calls",
                                   "copies", "planned us", "taken us", kind + " us", "size", "call, device");
    double by_calls = 0;
    for (const call_cost& c : costs) by_calls += c.lost_us();
    const auto each = [](const call_cost& c, double us) {
        return us > 0 ? fmt::format("{:.1f}", us / static_cast<double>(c.calls)) : "-";
    };
    for (const call_cost& c : std::span(costs).first(std::min(costs.size(), most)))
        fmt::format_to(std::back_inserter(text), "  {:>9.3f} {:>7} {:>7} {:>11} {:>11} {:>11} {:>14}  {}, {}\n",
                       c.lost_us() * 1e-3, c.calls, c.copies, each(c, c.planned_us), each(c, c.taken_us),
                       each(c, c.elsewhere_us), c.size, c.recipe, c.device);
    fmt::format_to(std::back_inserter(text), "  {:>9.3f} beside calls: between them, and while they waited\n",
                   (lost_us - by_calls) * 1e-3);
    return text;
}

} // namespace bench
