// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/tune/plans.hpp"

#include "src/tool/models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace skelrt::tool
{

namespace
{

/// Neighbouring orders of size with the same choice are one range.
plan plan_of(const std::map<std::size_t, std::size_t>& choice_from, const std::vector<choice>& choices)
{
    plan p;
    for (auto at = choice_from.begin(); at != choice_from.end();) {
        const auto [from, chosen] = *at;
        std::size_t next = from;
        for (; at != choice_from.end() && at->first == next && at->second == chosen; ++at) next *= 2;
        p.range(from, next - 1, choices[chosen].shares);
    }
    return p;
}

} // namespace

detail::program_plans plans_of(const assignment& a, const std::vector<place>& places,
                               const std::vector<choice>& choices)
{
    struct of_codelet {
        std::string name;
        std::map<std::size_t, std::size_t> choice_from;
    };
    std::map<std::uint64_t, of_codelet> codelets;
    for (std::size_t k = 0; k < places.size(); ++k) {
        if (a[k] == 0) continue;
        of_codelet& c = codelets[places[k].key];
        c.name = places[k].codelet;
        c.choice_from[places[k].from] = a[k];
    }
    detail::program_plans plans;
    for (const auto& [key, c] : codelets) plans.codelets.push_back({c.name, key, plan_of(c.choice_from, choices)});
    return plans;
}

std::string as_text(const place& p)
{
    return fmt::format("{:>3.0f} %  {} call{} on {} to {} elements, {} each: {}", 100 * p.share, p.calls,
                       p.calls == 1 ? "" : "s", p.from, p.to, time_text(p.us[0]), p.codelet);
}

} // namespace skelrt::tool
