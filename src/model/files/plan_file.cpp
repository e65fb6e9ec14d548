// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/files/plan_file.hpp"

#include "src/model/files/files.hpp"
#include "src/model/files/format_version.hpp"
#include "src/model/times/history.hpp"
#include "src/runtime/environment/environment.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace skelrt::detail
{

namespace
{

constexpr int plan_format = 1;

using json = nlohmann::ordered_json;

/// Misspelt parameters must not be lost silently.
void check_names(const json& j, std::initializer_list<std::string_view> known)
{
    for (const auto& [name, value] : j.items())
        if (std::ranges::find(known, name) == known.end()) throw error(fmt::format("\"{}\" is not known there", name));
}

json share_as_json(const plan_share& s)
{
    json j{{"device", device_text(s)}, {"part", s.part}};
    if (s.pieces > 0) j["pieces"] = s.pieces;
    if (s.threads > 0) j["threads"] = s.threads;
    if (s.block > 0) j["block"] = s.block;
    return j;
}

json ranges_as_json(const plan& p)
{
    json all = json::array();
    for (const plan_range& r : p.ranges()) {
        json j{{"from", r.from}};
        if (r.to != plan::any_size) j["to"] = r.to;
        for (const plan_share& s : r.shares) j["shares"].push_back(share_as_json(s));
        all.push_back(std::move(j));
    }
    return all;
}

plan_share share_from(const json& j)
{
    check_names(j, {"device", "part", "pieces", "threads", "block"});
    plan_share s{};
    const auto name = j.at("device").get<std::string>();
    const auto blank = name.find(' ');
    const std::string kind = name.substr(0, blank);
    bool known = false;
    for (device d : {device::cpu, device::cuda, device::opencl})
        if (kind == kind_text(d)) s.kind = d, known = true;
    if (!known)
        throw error(fmt::format("\"{}\" is no device; devices are cpu, cuda 0, cuda 1, ..., opencl 0, ...", name));
    if (blank != std::string::npos) {
        const std::string number = name.substr(blank + 1);
        if (number.empty() || number.size() > 4 || number.find_first_not_of("0123456789") != std::string::npos)
            throw error(fmt::format("\"{}\" is no device; write \"{} 0\"", name, kind));
        s.number = std::stoi(number);
    }
    s.part = j.value("part", 1.0);
    s.pieces = j.value("pieces", 0u);
    s.threads = j.value("threads", 0u);
    s.block = j.value("block", 0u);
    return s;
}

plan plan_from(const json& ranges)
{
    plan p;
    for (const json& j : ranges) {
        check_names(j, {"from", "to", "shares"});
        std::vector<plan_share> shares;
        for (const json& s : j.at("shares")) shares.push_back(share_from(s));
        p.range(j.value("from", std::size_t{0}), j.value("to", plan::any_size), std::move(shares));
    }
    return p;
}

/// Reads a file and hands its content on; what goes wrong names the file.
template <class Read>
auto read_plan_file(const std::string& file, Read read)
{
    const auto text = read_file(file);
    if (!text) throw error(fmt::format("plan {}: there is no such file, or it cannot be read", file));
    try {
        const json all = json::parse(*text);
        check_format_version(all.at("skelrt_plan").get<int>(), plan_format);
        return read(all);
    } catch (const nlohmann::json::exception& e) {
        throw error(fmt::format("plan {}: it is no file of plans: {}", file, e.what()));
    } catch (const error& e) {
        throw error(fmt::format("plan {}: {}", file, e.what()));
    }
}

/// One range a line.
std::string as_file_text(const json& j) { return j.dump(1) + "\n"; }

} // namespace

const char* kind_text(device d) noexcept
{
    switch (d) {
    case device::cpu:
        return "cpu";
    case device::cuda:
        return "cuda";
    case device::opencl:
        return "opencl";
    }
    return "?";
}

std::string device_text(const plan_share& s)
{
    return s.kind == device::cpu && s.number == 0 ? "cpu" : fmt::format("{} {}", kind_text(s.kind), s.number);
}

const plan* program_plans::find(std::uint64_t key, const std::string& codelet) const noexcept
{
    const auto at = std::ranges::find_if(
        codelets, [&](const entry& e) { return e.key != 0 ? e.key == key : e.codelet == codelet; });
    if (at != codelets.end()) return &at->what;
    return others ? &*others : nullptr;
}

void save_plan(const std::string& file, const plan& p)
{
    write_file_atomically(file, as_file_text({{"skelrt_plan", plan_format}, {"ranges", ranges_as_json(p)}}));
}

plan load_plan(const std::string& file)
{
    return read_plan_file(file, [](const json& all) {
        if (all.contains("codelets")) throw error("it has the plans of a whole program; SKELRT_PLAN takes them");
        check_names(all, {"skelrt_plan", "ranges"});
        return plan_from(all.at("ranges"));
    });
}

void save_program_plans(const std::string& file, const program_plans& p)
{
    json all{{"skelrt_plan", plan_format}, {"codelets", json::array()}};
    for (const program_plans::entry& e : p.codelets) {
        json j{{"codelet", e.codelet}};
        if (e.key != 0) j["key"] = key_text(e.key);
        j["ranges"] = ranges_as_json(e.what);
        all["codelets"].push_back(std::move(j));
    }
    if (p.others) all["ranges"] = ranges_as_json(*p.others);
    write_file_atomically(file, as_file_text(all));
}

program_plans load_program_plans(const std::string& file)
{
    return read_plan_file(file, [](const json& all) {
        check_names(all, {"skelrt_plan", "codelets", "ranges"});
        program_plans p;
        for (const json& j : all.value("codelets", json::array())) {
            check_names(j, {"codelet", "key", "ranges"});
            program_plans::entry e{j.at("codelet").get<std::string>(), 0, plan_from(j.at("ranges"))};
            if (j.contains("key")) e.key = key_from_text(j.at("key").get<std::string>());
            p.codelets.push_back(std::move(e));
        }
        if (all.contains("ranges")) p.others = plan_from(all.at("ranges"));
        return p;
    });
}

std::shared_ptr<const program_plans> plans_of_environment()
{
    const auto file = env_text("SKELRT_PLAN");
    if (!file) return nullptr;
    try {
        return std::make_shared<const program_plans>(load_program_plans(*file));
    } catch (const error& e) {
        throw error(fmt::format("SKELRT_PLAN={}: {}", *file, e.what()));
    }
}

} // namespace skelrt::detail
