// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/tune/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace skelrt::tool
{

namespace
{

/// Runs that turns take, and those of the end, for which there is always time.
constexpr std::size_t runs_of_turns = 2 * over_what_is_kept.turns, last_runs = 2 * once_more.turns;
/// Of a round of candidates, so many may fail in turns.
constexpr std::size_t most_in_turns = 3;
/// At each place so many choices are tried by themselves.
constexpr std::size_t most_at_place = 3;
/// What is so much slower where calls are waited for is not run.
constexpr double may_be_slower = 1.2;

struct candidate {
    std::string name;
    assignment what;
};

std::string shown(double seconds)
{
    return std::isinf(seconds) ? "stopped, or failed" : fmt::format("{:.3f} s", seconds);
}

class searching
{
public:
    searching(const std::vector<place>& places, const std::vector<choice>& choices, const whole_runs& runs)
        : places_(places), choices_(choices), runs_(runs), automatic_(places.size(), 0), kept_(automatic_)
    {
    }

    search_result run()
    {
        constexpr std::size_t first_runs = 3;
        std::vector<double> first;
        for (std::size_t k = 0; k < first_runs; ++k) first.push_back(runs_.seconds(automatic_));
        looks_[automatic_] = median_of(first);
        runs_.say(fmt::format("  {:<44} {:.3f} s", "automatic, median of 3", looks_[automatic_]));
        try_in_order(everywhere());
        for (std::size_t p = 0; p < places_.size(); ++p) try_in_order(elsewhere(p));
        leave_out();
        if (kept_ == automatic_) return {automatic_, {}, in_time_};
        runs_.say("what is left, in turns with automatic once more");
        turns last;
        if (in_turns(automatic_, kept_, once_more, last) != verdict::gains) kept_ = automatic_;
        return {kept_, last, in_time_};
    }

private:
    bool promises(const place& p, std::size_t choice) const
    {
        return p.us[choice] > 0 && p.us[choice] <= may_be_slower * p.us[0];
    }

    /// Places that cannot be had so, or would be much slower, stay automatic.
    assignment only_where_promising(std::size_t choice) const
    {
        assignment a = automatic_;
        for (std::size_t p = 0; p < places_.size(); ++p)
            if (promises(places_[p], choice)) a[p] = choice;
        return a;
    }

    assignment each_its_quickest() const
    {
        assignment a = automatic_;
        for (std::size_t p = 0; p < places_.size(); ++p)
            for (std::size_t k = 1; k < choices_.size(); ++k)
                if (places_[p].us[k] > 0 && places_[p].us[k] < places_[p].us[a[p]]) a[p] = k;
        return a;
    }

    std::vector<candidate> everywhere() const
    {
        std::vector<candidate> all;
        for (std::size_t k = 1; k < choices_.size(); ++k) all.push_back({choices_[k].name, only_where_promising(k)});
        if (places_.size() > 1) all.push_back({"each call as it was quickest", each_its_quickest()});
        return all;
    }

    /// What is kept, with the choices that are quickest at one place.
    std::vector<candidate> elsewhere(std::size_t where) const
    {
        const place& p = places_[where];
        std::vector<std::size_t> able;
        for (std::size_t k = 1; k < choices_.size(); ++k)
            if (promises(p, k)) able.push_back(k);
        std::ranges::stable_sort(able, {}, [&](std::size_t k) { return p.us[k]; });
        if (able.size() > most_at_place) able.resize(most_at_place);
        std::vector<candidate> all;
        for (const std::size_t k : able) {
            all.push_back({fmt::format("{} at {}", choices_[k].name, where + 1), kept_});
            all.back().what[where] = k;
        }
        return all;
    }

    /// One run; of those that were made before, what they took.
    void look_at(const candidate& c)
    {
        if (looks_.contains(c.what)) return;
        if (!has_time(1 + runs_of_turns)) return;
        const double seconds = looks_[c.what] = runs_.seconds(c.what);
        runs_.say(fmt::format("  {:<44} {}", c.name, shown(seconds)));
    }

    /// Until one of them gains over what is kept.
    void try_in_order(std::vector<candidate> all)
    {
        for (const candidate& c : all) look_at(c);
        std::erase_if(all, [&](const candidate& c) { return !looks_.contains(c.what); });
        std::ranges::stable_sort(all, {}, [&](const candidate& c) { return looks_[c.what]; });
        std::size_t failed = 0;
        for (const candidate& c : all) {
            if (looks_[c.what] >= looks_[kept_] || failed == most_in_turns) return;
            if (tried_.contains(c.what)) continue;
            if (!has_time(runs_of_turns) || gains(c)) return;
            ++failed;
        }
    }

    bool gains(const candidate& c)
    {
        tried_.insert(c.what);
        runs_.say(fmt::format("{}, in turns with {}", c.name, kept_ == automatic_ ? "automatic" : "what is kept"));
        turns t;
        if (in_turns(kept_, c.what, over_what_is_kept, t) != verdict::gains) return false;
        kept_ = c.what;
        looks_[kept_] = median_of(t.with);
        return true;
    }

    /// Entries without which the program is no slower, those with the smallest share first. One alone has gained.
    void leave_out()
    {
        for (std::size_t p = places_.size(); p-- > 0;) {
            const bool alone = std::ranges::count_if(kept_, [](std::size_t k) { return k != 0; }) == 1;
            if (kept_[p] == 0 || alone || !has_time(runs_of_turns)) continue;
            assignment without = kept_;
            without[p] = 0;
            turns t;
            runs_.say(fmt::format("{} at {}, in turns with the plan without it", choices_[kept_[p]].name, p + 1));
            if (in_turns(without, kept_, over_being_left_out, t) != verdict::gains) kept_ = without;
        }
    }

    verdict in_turns(const assignment& without, const assignment& with, const gain_rule& rule, turns& t)
    {
        while (judge(t, rule) == verdict::open) {
            const bool with_first = t.with.size() % 2 == 1; // nobody always follows the same one
            const double first = runs_.seconds(with_first ? with : without);
            const double second = runs_.seconds(with_first ? without : with);
            t.without.push_back(with_first ? second : first);
            t.with.push_back(with_first ? first : second);
        }
        const verdict v = judge(t, rule);
        runs_.say(fmt::format("  {} instead of {}, quicker in {} of {}: {}", shown(median_of(t.with)),
                              shown(median_of(t.without)), won(t), t.with.size(),
                              v == verdict::gains ? "kept" : "not kept"));
        return v;
    }

    bool has_time(std::size_t runs)
    {
        const bool enough = runs_.time_for(runs + last_runs);
        in_time_ = in_time_ && enough;
        return enough;
    }

    const std::vector<place>& places_;
    const std::vector<choice>& choices_;
    const whole_runs& runs_;
    const assignment automatic_;
    assignment kept_;
    std::map<assignment, double> looks_;
    std::set<assignment> tried_; ///< in turns
    bool in_time_ = true;
};

} // namespace

search_result search(const std::vector<place>& places, const std::vector<choice>& choices, const whole_runs& runs)
{
    return searching(places, choices, runs).run();
}

} // namespace skelrt::tool
