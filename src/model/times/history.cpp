// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/times/history.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

namespace skelrt::detail
{

const char* name_of(executor e) noexcept
{
    switch (e) {
    case executor::core:
        return "core";
    case executor::team:
        return "team";
    case executor::cuda:
        return "cuda";
    case executor::opencl:
        return "opencl";
    }
    return "";
}

std::int64_t codelet_runs::newest() const noexcept
{
    std::int64_t last = 0;
    for (const curve& c : on) last = std::max(last, c.newest());
    return last;
}

void merge(history& to, const history& from)
{
    for (const auto& [key, theirs] : from) {
        codelet_runs& ours = to[key];
        const std::pair now{ours.newest(), ours.name}, then{theirs.newest(), theirs.name};
        if (ours.name.empty() || now < then) ours.name = theirs.name; // functions move about in their files
        for (executor e : all_executors)
            for (const run& r : theirs[e].runs()) ours[e].add(r);
    }
}

void prune(history& h, std::size_t most)
{
    if (h.size() <= most) return;
    std::vector<std::int64_t> times;
    for (const auto& [key, c] : h) times.push_back(c.newest());
    const auto last_kept = times.begin() + static_cast<std::ptrdiff_t>(most - 1);
    std::ranges::nth_element(times, last_kept, std::greater{});
    std::erase_if(h, [&](const auto& entry) { return entry.second.newest() < *last_kept; });
}

std::uint64_t key_from_text(const std::string& text)
{
    std::uint64_t key = 0;
    const char* end = text.data() + text.size();
    const auto [stop, problem] = std::from_chars(text.data(), end, key, 16);
    if (problem != std::errc{} || stop != end) throw error(fmt::format("key \"{}\" is no hexadecimal number", text));
    return key;
}

std::string key_text(std::uint64_t key) { return fmt::format("{:016x}", key); }

} // namespace skelrt::detail
