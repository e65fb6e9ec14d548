// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/doctor/checks/variables.hpp"

#include "src/runtime/environment/environment.hpp"
#include "src/runtime/environment/nearest.hpp"
#include "src/runtime/environment/starpu_names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace skelrt::tool::doctor
{

namespace
{

constexpr const char* about = "environment";

std::vector<std::string_view> names_of_skelrt()
{
    std::vector<std::string_view> names;
    for (const detail::variable& v : detail::skelrt_variables()) names.push_back(v.name);
    return names;
}

void check_skelrt_name(findings& to, std::string_view name)
{
    const std::vector<std::string_view> known = names_of_skelrt();
    if (std::ranges::find(known, name) != known.end()) return;
    const std::string_view nearest = detail::nearest_name(name, known, 4);
    to.push_back(wrong(about, fmt::format("{} is not a variable of skelrt: nobody reads it", name),
                       nearest.empty() ? fmt::format("unset {}; `skelrt env` lists what there is", name)
                                       : fmt::format("did you mean {}?", nearest)));
}

/// Others may set variables that begin like StarPU's: where it lies, for one. Only what looks like a slip is wrong.
void check_starpu_name(findings& to, std::string_view name)
{
    if (detail::starpu_value_of(name)) return;
    const std::string_view nearest = detail::nearest_name(name, detail::starpu_names(), 2);
    const std::string what = fmt::format("StarPU 1.4 does not read {}", name);
    if (nearest.empty())
        to.push_back(warn(about, what, fmt::format("unset {}, unless it is for something else", name)));
    else to.push_back(wrong(about, what, fmt::format("did you mean {}?", nearest)));
}

/// "environment: X=1 makes no sense; allowed is ..." has the way out behind the first semicolon.
finding unreadable(const std::string& name, std::string says)
{
    constexpr std::string_view prefix = "environment: ";
    if (says.starts_with(prefix)) says.erase(0, prefix.size());
    const auto end = says.find("; ");
    if (end == std::string::npos) return wrong(about, says, fmt::format("`skelrt env` explains {}", name));
    return wrong(about, says.substr(0, end), says.substr(end + 2));
}

void check_policy(findings& to, const variable_facts& f)
{
    const std::string policy = value_of(f.set, "STARPU_SCHED");
    if (policy.empty() || std::ranges::find(f.policies, policy) != f.policies.end()) return;
    if (!value_of(f.set, "STARPU_SCHED_LIB").empty()) return; // it may have more; the start shows
    const std::vector<std::string_view> names(f.policies.begin(), f.policies.end());
    const std::string_view nearest = detail::nearest_name(policy, names, 3);
    to.push_back(wrong(about, fmt::format("STARPU_SCHED={}: there is no such policy, and another one runs", policy),
                       nearest.empty() ? fmt::format("unset it, or take one of {}", fmt::join(f.policies, ", "))
                                       : fmt::format("did you mean {}?", nearest)));
}

std::string list(const variables& set)
{
    std::string text;
    for (const auto& [name, value] : set) text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
    return text.empty() ? "no variable is set" : text;
}

} // namespace

std::string value_of(const variables& set, std::string_view name)
{
    const auto v = set.find(name);
    return v == set.end() ? std::string() : v->second;
}

bool allows(const variables& set, std::string_view kind)
{
    const std::string chosen = value_of(set, "SKELRT_DEVICES");
    return chosen.empty() || fmt::format(",{},", chosen).find(fmt::format(",{},", kind)) != std::string::npos;
}

findings check_variables(const variable_facts& f)
{
    findings all;
    for (const auto& [name, value] : f.set) {
        if (name.starts_with("SKELRT_")) check_skelrt_name(all, name);
        if (name.starts_with("STARPU_")) check_starpu_name(all, name);
    }
    for (const auto& [name, says] : f.unreadable) all.push_back(unreadable(name, says));
    check_policy(all, f);
    add(all, check_contradictions(f.set));
    if (all.empty()) all.push_back(fine(about, list(f.set)));
    return all;
}

} // namespace skelrt::tool::doctor
