// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/files/format_version.hpp"
#include "src/model/files/records.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <utility>

namespace skelrt::detail
{

namespace
{

constexpr int models_format = 2, models_alone = 1;

using json = nlohmann::ordered_json;

/// Rates, ratios and times that files may tell of.
double sane(const json& j, double least, double most)
{
    const auto value = j.get<double>();
    if (!(value >= least && value <= most)) throw error(fmt::format("a value of {} makes no sense", value));
    return value;
}

constexpr double least_time_us = 1e-4, most_time_us = 1e15;
double time_us(const json& j) { return sane(j, least_time_us, most_time_us); }

std::int64_t date_of(const json& j)
{
    const auto when = j.at("when").get<std::int64_t>();
    if (when < 0) throw error(fmt::format("a date of {} makes no sense", when));
    return when;
}

json codelet_as_json(std::uint64_t key, const codelet_runs& c)
{
    json j{{"key", key_text(key)}, {"name", c.name}};
    for (executor e : all_executors) {
        if (c[e].empty()) continue;
        json& runs = j[name_of(e)] = json::array();
        for (const run& r : c[e].runs()) runs.push_back({static_cast<std::uint64_t>(r.elements), r.us, r.when});
    }
    return j;
}

run run_from(const json& j)
{
    const run r{j.at(0).get<double>(), j.at(1).get<double>(), j.at(2).get<std::int64_t>()};
    if (!(r.elements >= 1 && r.elements < 1e19 && r.us > 0 && r.us < 1e15 && r.when >= 0))
        throw error(fmt::format("a run of {} elements in {} us at {} makes no sense", r.elements, r.us, r.when));
    return r;
}

void read_codelet(records& to, const json& j)
{
    codelet_runs& c = to.models[key_from_text(j.at("key").get<std::string>())];
    c.name = j.at("name").get<std::string>();
    for (executor e : all_executors)
        if (const auto runs = j.find(name_of(e)); runs != j.end())
            for (const json& r : *runs) c[e].add(run_from(r));
}

json as_json(std::uint64_t key, const dated<usage_record>& u)
{
    json j{{"key", key_text(key)}};
    if (u.what.usually_home) j["home"] = u.what.home, j["usually"] = *u.what.usually_home;
    j["runs"] = u.what.runs;
    j["when"] = u.when;
    return j;
}

void read_usage(records& to, const json& j)
{
    usage_record u;
    if (j.contains("usually")) {
        u.home = sane(j.at("home"), 0, 1);
        u.usually_home = j.at("usually").get<bool>();
    }
    u.runs = j.at("runs").get<std::vector<std::size_t>>();
    to.usage[key_from_text(j.at("key").get<std::string>())] = {std::move(u), date_of(j)};
}

json as_json(const std::string& device, const dated<link_record>& l)
{
    return {{"device", device}, {"best", l.what.best}, {"second", l.what.second}, {"when", l.when}};
}

void read_link(records& to, const json& j)
{
    constexpr double most_rate = 1e15; // of wild ones, too: nothing depends on the best
    to.links[j.at("device").get<std::string>()] = {
        {sane(j.at("best"), 0, most_rate), sane(j.at("second"), 0, most_rate)}, date_of(j)};
}

json as_json(const start_record& s) { return {key_text(s.recipe), key_text(s.shape), key_text(s.places)}; }

start_record start_from(const json& j)
{
    return {key_from_text(j.at(0).get<std::string>()), key_from_text(j.at(1).get<std::string>()),
            key_from_text(j.at(2).get<std::string>())};
}

json as_json(const way_record& w)
{
    json j{{"episodes", w.episodes}, {"us", w.us}, {"least_us", w.least_us}};
    if (w.rest_us > 0) j["rest_us"] = w.rest_us;
    if (w.next) j["next"] = as_json(*w.next);
    return j;
}

way_record way_from(const json& j)
{
    way_record w{j.at("episodes").get<std::size_t>(), time_us(j.at("us")), time_us(j.at("least_us")), 0, {}};
    if (j.contains("rest_us")) w.rest_us = time_us(j.at("rest_us"));
    if (j.contains("next")) w.next = start_from(j.at("next"));
    return w;
}

json as_json(const strategy_key& key, const dated<strategy_record>& s)
{
    json j{{"devices", key.devices}, {"start", as_json(key.start)}, {"length", key.length}};
    j["episodes"] = s.what.episodes;
    if (s.what.in_last_process > 0) j["in_last_process"] = s.what.in_last_process;
    if (s.what.cores_promise_us > 0) j["cores_promise_us"] = s.what.cores_promise_us;
    json& ways = j["ways"] = json::object();
    for (const auto& [name, way] : s.what.ways) ways[name] = as_json(way);
    j["when"] = s.when;
    return j;
}

void read_strategy(records& to, const json& j)
{
    strategy_record s{j.at("episodes").get<std::size_t>(), {}};
    s.in_last_process = j.value("in_last_process", std::size_t{0});
    if (j.contains("cores_promise_us")) s.cores_promise_us = time_us(j.at("cores_promise_us"));
    for (const auto& [name, way] : j.at("ways").items()) s.ways[name] = way_from(way);
    to.strategies[{j.at("devices").get<std::string>(), start_from(j.at("start")), j.at("length").get<unsigned>()}] = {
        std::move(s), date_of(j)};
}

/// One thing a line.
template <class Map, class AsJson>
void add_section(std::string& text, const char* name, const Map& all, AsJson as_line)
{
    text += fmt::format(",\n \"{}\": [", name);
    const char* separator = "\n";
    for (const auto& [key, value] : all) {
        text += separator + as_line(key, value).dump(-1, ' ', false, json::error_handler_t::replace);
        separator = ",\n";
    }
    text += "\n]";
}

template <class Read>
void read_section(const json& all, const char* name, records& to, Read read_line)
{
    for (const json& j : all.at(name)) read_line(to, j);
}

records read(const json& all, const std::string& machine)
{
    const int version = all.at("skelrt_models").get<int>();
    if (version != models_alone) check_format_version(version, models_format);
    if (const auto whose = all.at("machine").get<std::string>(); !machine.empty() && whose != machine)
        throw error(fmt::format("what it knows is of machine {}, this is {}", whose, machine));
    records r;
    read_section(all, "codelets", r, read_codelet);
    if (version == models_alone) return r;
    read_section(all, "usage", r, read_usage);
    read_section(all, "links", r, read_link);
    read_section(all, "strategies", r, read_strategy);
    return r;
}

} // namespace

std::string to_json(const records& r, const std::string& machine)
{
    const auto line = [](const auto& key, const auto& value) { return as_json(key, value); };
    std::string text = fmt::format("{{\"skelrt_models\": {}, \"machine\": {},\n \"runs\": \"elements, microseconds, "
                                   "when: microseconds since 1970\"",
                                   models_format, json(machine).dump(-1, ' ', false, json::error_handler_t::replace));
    add_section(text, "codelets", r.models, codelet_as_json);
    add_section(text, "usage", r.usage, line);
    add_section(text, "links", r.links, line);
    add_section(text, "strategies", r.strategies, line);
    return text + "}\n";
}

records records_from_json(const std::string& text, const std::string& machine)
{
    try {
        return read(json::parse(text), machine);
    } catch (const nlohmann::json::exception& e) {
        throw error(fmt::format("it is no file of models: {}", e.what()));
    }
}

} // namespace skelrt::detail
