// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/trace/events.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <functional>
#include <optional>
#include <utility>

namespace skelrt::tool
{

namespace
{

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

/// `visit` gets each event, none of which is kept. Returns what is around them.
json read_file(const fs::path& file, const std::function<void(json&)>& visit)
{
    std::error_code none;
    if (fs::is_directory(file, none)) throw error(fmt::format("{} is a folder; name the file in it", file.string()));
    std::ifstream in(file, std::ios::binary);
    if (!in) throw error(fmt::format("{} cannot be read: {}", file.string(), std::strerror(errno)));
    if (in.peek() == std::ifstream::traits_type::eof())
        throw error(
            fmt::format("{} is empty: the program still runs, or was killed before it could write", file.string()));
    constexpr int depth_of_events = 2; // in an array of the outermost object
    const auto take = [&](int depth, json::parse_event_t what, json& parsed) {
        if (what != json::parse_event_t::object_end || depth != depth_of_events || !parsed.contains("ph")) return true;
        visit(parsed);
        return false;
    };
    try {
        return json::parse(in, take);
    } catch (const json::parse_error& e) {
        const bool at_end = e.byte >= fs::file_size(file);
        if (at_end)
            throw error(fmt::format("{} is cut off: it ends in the middle of a value; the program was killed while it "
                                    "wrote, or the disk is full",
                                    file.string()));
        throw error(fmt::format("{} is no trace: it is no JSON from byte {} on", file.string(), e.byte));
    }
}

traced_rank read_rank(const fs::path& file, const json& around)
{
    const auto found = around.find("otherData");
    if (!around.is_object() || found == around.end() || !found->contains("skelrt_trace"))
        throw error(fmt::format("{} is no trace of a program with skelrt; SKELRT_TRACE=FILE PROGRAM writes one",
                                file.string()));
    if (const int version = found->at("skelrt_trace").get<int>(); version != 1)
        throw error(
            fmt::format("{} is a trace of version {}, and this skelrt reads version 1", file.string(), version));
    traced_rank r;
    r.rank = found->at("rank").get<int>();
    r.ranks = found->at("ranks").get<int>();
    r.program = found->at("program").get<std::string>();
    r.host = found->at("host").get<std::string>();
    r.began_unix_us = found->at("began_unix_us").get<double>();
    r.lost = found->at("lost_records").get<std::uint64_t>();
    r.megabytes = found->at("megabytes").get<std::uint64_t>();
    return r;
}

std::optional<event_kind> kind_of(const std::string& category)
{
    constexpr std::array names{"call", "task", "copy", "item", "wait"};
    const auto found = std::ranges::find(names, category);
    if (found == names.end()) return std::nullopt;
    return static_cast<event_kind>(found - names.begin());
}

row_kind kind_of_row(const std::string& kind)
{
    if (kind == "device") return row_kind::device;
    return kind == "copies" ? row_kind::copies : row_kind::thread;
}

/// Of one file.
class reader
{
public:
    explicit reader(trace_events& all) : all_(all), first_(all.all.size()) {}

    void take(const json& e)
    {
        const std::string phase = e.at("ph").get<std::string>();
        if (phase == "M" && e.at("name") == "thread_name") take_row(e);
        if (phase == "X" || phase == "i") take_event(e, phase == "i");
    }
    /// Once it is known when the file's times begin.
    void shift(double us)
    {
        for (std::size_t i = first_; i < first_ + count_; ++i) all_.all[i].begin_us += us;
    }

private:
    void take_row(const json& e)
    {
        const json& facts = e.at("args");
        all_.rows[{e.at("pid").get<int>(), e.at("tid").get<int>()}] = {facts.at("name").get<std::string>(),
                                                                       kind_of_row(facts.value("kind", "thread"))};
    }

    void take_event(const json& e, bool ends_unknown)
    {
        const auto kind = kind_of(e.value("cat", ""));
        if (!kind) return;
        traced_event& t = all_.all.emplace_back();
        ++count_;
        t.kind = *kind;
        t.rank = e.at("pid").get<int>();
        t.row = e.at("tid").get<int>();
        t.name = e.at("name").get<std::string>();
        t.begin_us = e.at("ts").get<double>();
        t.us = e.value("dur", 0.0);
        t.ends_unknown = ends_unknown;
        const json& facts = e.at("args");
        t.call = facts.value("call", std::uint64_t{0});
        t.times = facts.value("times", std::uint64_t{1});
        t.bytes = facts.value("bytes", 0.0);
        t.planned_us = facts.value("planned_us", 0.0);
        t.size = facts.value("size", "");
        t.device = facts.value("device", "");
        t.why = facts.value("why", "");
    }

    trace_events& all_;
    const std::size_t first_;
    std::size_t count_ = 0;
};

/// What every file has been said to be.
void add_rank(std::vector<traced_rank>& ranks, const traced_rank& one, const fs::path& file)
{
    if (std::ranges::find(ranks, one.rank, &traced_rank::rank) != ranks.end())
        throw error(fmt::format("{} is of rank {}, and so is another one of the files; give one file of each rank of "
                                "one run",
                                file.string(), one.rank));
    ranks.push_back(one);
}

double first_begin(const std::vector<traced_rank>& ranks)
{
    return std::ranges::min_element(ranks, {}, &traced_rank::began_unix_us)->began_unix_us;
}

} // namespace

double trace_events::end_us() const
{
    double last = 0;
    for (const traced_event& e : all) last = std::max(last, e.end_us());
    return last;
}

trace_events read_traces(std::span<const fs::path> files)
{
    trace_events all;
    std::vector<reader> readers;
    for (const fs::path& file : files) {
        readers.emplace_back(all);
        try {
            const json around = read_file(file, [&](const json& e) { readers.back().take(e); });
            add_rank(all.ranks, read_rank(file, around), file);
        } catch (const json::exception& e) {
            throw error(fmt::format("{} is no trace of a program with skelrt: {}", file.string(), e.what()));
        }
    }
    const double zero = first_begin(all.ranks);
    for (std::size_t k = 0; k < readers.size(); ++k) readers[k].shift(all.ranks[k].began_unix_us - zero);
    std::ranges::stable_sort(all.all, {}, &traced_event::begin_us);
    return all;
}

void merge_traces(std::span<const fs::path> files, const fs::path& to)
{
    std::vector<traced_rank> ranks;
    for (const fs::path& file : files) add_rank(ranks, read_rank(file, read_file(file, [](const json&) {})), file);
    const double zero = first_begin(ranks);
    std::ofstream out(to, std::ios::binary);
    out << "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
    const char* between = "\n";
    for (std::size_t k = 0; k < files.size(); ++k)
        read_file(files[k], [&](json& e) {
            if (e.contains("ts")) e["ts"] = e["ts"].get<double>() + ranks[k].began_unix_us - zero;
            out << std::exchange(between, ",\n") << e.dump();
        });
    out << "\n]}\n";
    out.close();
    if (!out) throw error(fmt::format("{} cannot be written: {}", to.string(), std::strerror(errno)));
}

} // namespace skelrt::tool
