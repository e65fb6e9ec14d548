// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/doctor/report.hpp"

#include <skelrt/version.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace skelrt::tool::doctor
{

namespace
{

const char* word_for(verdict v)
{
    switch (v) {
    case verdict::ok:
        return "ok";
    case verdict::warning:
        return "warning";
    case verdict::wrong:
        break;
    }
    return "wrong";
}

auto count(const findings& all, verdict v) { return std::ranges::count(all, v, &finding::is); }

/// Errors of drivers and compilers may have several lines.
std::string on_one_line(std::string text)
{
    std::ranges::replace_if(
        text, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
    return text;
}

} // namespace

std::string line_of(const finding& f)
{
    std::string line = fmt::format("{:<8} {:<12} {}", word_for(f.is), f.about, on_one_line(f.what));
    if (!f.way_out.empty()) line += "; way out: " + on_one_line(f.way_out);
    return line + '\n';
}

std::string sums_of(const findings& all)
{
    const auto warnings = count(all, verdict::warning);
    return fmt::format("{} ok, {} warning{}, {} wrong\n", count(all, verdict::ok), warnings, warnings == 1 ? "" : "s",
                       count(all, verdict::wrong));
}

std::string as_json(const findings& all)
{
    using json = nlohmann::ordered_json;
    json list = json::array();
    for (const finding& f : all)
        list.push_back({{"verdict", word_for(f.is)}, {"about", f.about}, {"what", f.what}, {"way_out", f.way_out}});
    const json said = {{"version", version()},
                       {"findings", list},
                       {"ok", count(all, verdict::ok)},
                       {"warnings", count(all, verdict::warning)},
                       {"wrong", count(all, verdict::wrong)}};
    // Texts come from drivers and the environment: not all of them are UTF-8.
    return said.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

int exit_code(const findings& all) { return count(all, verdict::wrong) > 0 ? 1 : 0; }

} // namespace skelrt::tool::doctor
