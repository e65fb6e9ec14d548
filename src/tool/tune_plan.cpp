// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/tune_plan.hpp"

#include "src/model/times/history.hpp"
#include "src/tool/models.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <sstream>

namespace skelrt::tool
{

namespace
{

/// The calls of one codelet whose sizes share their highest bit.
struct order_of_size {
    std::size_t least = ~std::size_t{0}, most = 0;
    std::vector<std::vector<double>> us; ///< per choice
};

/// The median; of the first run, too, only if there is no other: it builds kernels and makes memory.
double typical(std::vector<double> times)
{
    if (times.empty()) return 0;
    if (times.size() > 1) times.erase(times.begin());
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::ranges::nth_element(times, middle);
    return *middle;
}

/// The quickest of the possible ones; automatic unless another is `margin` better.
std::size_t best_of(const std::vector<double>& us, double margin)
{
    std::size_t best = 0;
    for (std::size_t k = 1; k < us.size(); ++k)
        if (us[k] > 0 && (us[best] <= 0 || us[k] < us[best])) best = k;
    return us[0] > 0 && us[0] <= us[best] * (1 + margin) ? 0 : best;
}

/// Whether a choice costs hardly more than the one that is best there.
bool will_do(const tuned_range& r, std::size_t choice, double margin)
{
    return r.all_us[choice] > 0 && r.all_us[choice] <= r.us * (1 + margin);
}

void join(tuned_range& to, const tuned_range& r, std::size_t choice)
{
    to.to = r.to;
    to.choice = choice;
    for (std::size_t k = 0; k < to.all_us.size(); ++k)
        to.all_us[k] = to.all_us[k] > 0 && r.all_us[k] > 0 ? to.all_us[k] + r.all_us[k] : 0;
    to.us = to.all_us[choice];
}

std::vector<tuned_range> ranges_of(const std::map<int, order_of_size>& orders, double margin)
{
    std::vector<tuned_range> ranges;
    for (const auto& [bit, o] : orders) {
        tuned_range fresh{o.least, o.most, 0, 0, {}};
        for (const auto& times : o.us) fresh.all_us.push_back(typical(times));
        fresh.choice = best_of(fresh.all_us, margin);
        fresh.us = fresh.all_us[fresh.choice];
        if (ranges.empty()) {
            ranges.push_back(std::move(fresh));
        } else if (tuned_range& last = ranges.back(); will_do(fresh, last.choice, margin)) {
            join(last, fresh, last.choice);
        } else if (will_do(last, fresh.choice, margin)) {
            join(last, fresh, fresh.choice);
        } else {
            ranges.push_back(std::move(fresh));
        }
    }
    return ranges;
}

/// Ranges meet halfway between the sizes that were seen, and reach a factor of two beyond them.
void close_gaps(std::vector<tuned_range>& ranges)
{
    for (std::size_t i = 0; i + 1 < ranges.size(); ++i) {
        const double middle = std::sqrt(static_cast<double>(ranges[i].to) * static_cast<double>(ranges[i + 1].from));
        const auto low = ranges[i].to;
        ranges[i].to = std::clamp(static_cast<std::size_t>(middle), low, ranges[i + 1].from - 1);
        ranges[i + 1].from = ranges[i].to + 1;
    }
    ranges.front().from /= 2;
    ranges.back().to *= 2;
}

} // namespace

std::vector<timed_call> read_trial(const std::string& text, std::size_t choice)
{
    std::vector<timed_call> calls;
    std::istringstream lines(text.substr(0, text.rfind('\n') + 1));
    for (std::string line; std::getline(lines, line);) {
        std::istringstream fields(line);
        std::string key;
        int obeyed = 0;
        timed_call c{0, "", 0, 0, choice, false};
        if (!(fields >> key >> c.elements >> c.us >> obeyed) || c.elements == 0) continue;
        fields.get(); // the blank
        std::getline(fields, c.codelet);
        c.key = detail::key_from_text(key);
        c.obeyed = obeyed != 0;
        calls.push_back(std::move(c));
    }
    return calls;
}

std::vector<tuned_codelet> tune(const std::vector<timed_call>& calls, std::size_t choices, double margin)
{
    std::map<std::uint64_t, std::pair<std::string, std::map<int, order_of_size>>> codelets;
    for (const timed_call& c : calls) {
        if (c.choice != 0 && !c.obeyed) continue;
        auto& [name, orders] = codelets[c.key];
        name = c.codelet;
        order_of_size& o = orders[std::bit_width(c.elements)];
        o.us.resize(choices);
        o.us[c.choice].push_back(c.us);
        o.least = std::min(o.least, c.elements);
        o.most = std::max(o.most, c.elements);
    }
    std::vector<tuned_codelet> tuned;
    for (const auto& [key, codelet] : codelets) {
        tuned_codelet t{key, codelet.first, ranges_of(codelet.second, margin)};
        close_gaps(t.ranges);
        tuned.push_back(std::move(t));
    }
    return tuned;
}

detail::program_plans plans_of(const std::vector<tuned_codelet>& tuned, const std::vector<choice>& choices)
{
    detail::program_plans plans;
    for (const tuned_codelet& t : tuned) {
        plan p;
        for (const tuned_range& r : t.ranges)
            if (!choices[r.choice].shares.empty()) p.range(r.from, r.to, choices[r.choice].shares);
        plans.codelets.push_back({t.codelet, t.key, std::move(p)});
    }
    return plans;
}

std::string as_text(const std::vector<tuned_codelet>& tuned, const std::vector<choice>& choices)
{
    std::string text;
    for (const tuned_codelet& t : tuned) {
        text += fmt::format("\n{}\n", t.codelet);
        for (const tuned_range& r : t.ranges) {
            text += fmt::format("  {:>12} to {:>12}: {:<24}", r.from, r.to, choices[r.choice].name);
            for (std::size_t k = 0; k < choices.size(); ++k)
                if (r.all_us[k] > 0) text += fmt::format("  {} {}", choices[k].name, time_text(r.all_us[k]));
            text += "\n";
        }
    }
    return text;
}

} // namespace skelrt::tool
