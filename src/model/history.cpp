#include "src/model/history.hpp"

#include "src/model/format_version.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

namespace skelrt::detail
{

namespace
{

constexpr int format_version = 1;

using json = nlohmann::ordered_json;

json runs_as_json(const curve& c)
{
    json all = json::array();
    for (const run& r : c.runs()) all.push_back({static_cast<std::uint64_t>(r.elements), r.us, r.when});
    return all;
}

run run_from(const json& j)
{
    const run r{j.at(0).get<double>(), j.at(1).get<double>(), j.at(2).get<std::int64_t>()};
    if (!(r.elements >= 1 && r.elements < 1e19 && r.us > 0 && r.us < 1e15 && r.when >= 0))
        throw error(fmt::format("a run of {} elements in {} us at {} makes no sense", r.elements, r.us, r.when));
    return r;
}

history read(const json& all, const std::string& machine)
{
    check_format_version(all.at("skelrt_models").get<int>(), format_version);
    if (const auto whose = all.at("machine").get<std::string>(); !machine.empty() && whose != machine)
        throw error(fmt::format("its runs are those of machine {}, this is {}", whose, machine));
    history h;
    for (const json& j : all.at("codelets")) {
        codelet_runs& c = h[key_from_text(j.at("key").get<std::string>())];
        c.name = j.at("name").get<std::string>();
        for (executor e : all_executors)
            if (const auto runs = j.find(name_of(e)); runs != j.end())
                for (const json& r : *runs) c[e].add(run_from(r));
    }
    return h;
}

} // namespace

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

std::string to_json(const history& h, const std::string& machine)
{
    std::string text = fmt::format("{{\"skelrt_models\": {}, \"machine\": {},\n \"runs\": \"elements, microseconds, "
                                   "when: microseconds since 1970\",\n \"codelets\": [",
                                   format_version, json(machine).dump());
    const char* separator = "\n";
    for (const auto& [key, c] : h) {
        json j{{"key", key_text(key)}, {"name", c.name}};
        for (executor e : all_executors)
            if (!c[e].empty()) j[name_of(e)] = runs_as_json(c[e]);
        text += separator + j.dump(-1, ' ', false, json::error_handler_t::replace);
        separator = ",\n";
    }
    return text + "\n]}\n";
}

history history_from_json(const std::string& text, const std::string& machine)
{
    try {
        return read(json::parse(text), machine);
    } catch (const nlohmann::json::exception& e) {
        throw error(fmt::format("it is no file of models: {}", e.what()));
    }
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
