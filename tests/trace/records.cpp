// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/trace/events.hpp"
#include "src/tool/trace/report.hpp"
#include "src/trace/trace_file.hpp"
#include "src/trace/trace_memory.hpp"

#include <skelrt/error.hpp>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <latch>
#include <string>
#include <thread>
#include <vector>

using namespace skelrt::detail;
using namespace skelrt::tool;
using Catch::Contains;
namespace fs = std::filesystem;
using json = nlohmann::json;

namespace
{

constexpr std::uint64_t us = 1000;
const std::string map_name = "map (app.cpp:12)";

trace_record record_of(std::uint64_t begin_us, std::uint64_t end_us, traced what = traced::call)
{
    trace_record r;
    r.begin_ns = begin_us * us;
    r.end_ns = end_us * us;
    r.name = &map_name;
    r.what = what;
    return r;
}

void fill(trace_memory& m, std::uint32_t thread, std::uint64_t first, std::uint64_t count)
{
    trace_memory::block* b = nullptr;
    for (std::uint64_t i = first; i < first + count; ++i) {
        if (!b || b->is_full()) {
            if (b) m.give(*b);
            b = m.take(thread);
        }
        REQUIRE(b);
        b->add(record_of(i, i));
    }
    if (b) m.give(*b);
}

trace_header header_of(int rank = 0, int ranks = 1)
{
    trace_header h;
    h.setting.rank = rank;
    h.setting.ranks = ranks;
    h.setting.targets = {"cpu", "cuda 0"};
    h.setting.workers = {"core 0", "core 1", "CUDA 0"};
    h.setting.memories = {"RAM", "CUDA 0"};
    h.threads = {"main thread", "thread 2"};
    h.program = "app";
    h.host = "node";
    h.began_unix_us = 1e15 + rank * 100;
    return h;
}

/// Removed at the end.
struct trace_file {
    fs::path path;
    trace_file(const trace_header& h, const std::vector<trace_memory::entry>& entries)
    {
        std::string name = (fs::temp_directory_path() / "trace-XXXXXX").string();
        const int f = mkstemp(name.data());
        path = name;
        std::FILE* const to = fdopen(f, "w");
        REQUIRE(write_trace(to, h, entries));
        std::fclose(to);
    }
    ~trace_file() { fs::remove(path); }
    trace_file(const trace_file&) = delete;
    trace_file& operator=(const trace_file&) = delete;
    std::string text() const
    {
        std::ifstream in(path);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    void set(const std::string& text) const { std::ofstream(path) << text; }
};

std::vector<trace_memory::entry> one_call()
{
    trace_record call = record_of(10, 20), task = record_of(50, 90, traced::task),
                 copy = record_of(25, 25, traced::copy), wait = record_of(20, 95, traced::wait);
    call.call = task.call = 7;
    call.by = done_by::tasks;
    call.rows = 1, call.cols = 1000, call.parts = 1, call.planned_us = 30;
    call.shares[1] = {1, 1, 4, 12};
    call.shares[0] = {0, 0, 0, 60};
    task.row = 2;
    copy.number = 0, copy.parts = 1, copy.bytes = 4e6f, copy.ends_unknown = true;
    return {{0, call}, {1, task}, {1, copy}, {0, wait}};
}

json the(const json& trace, const std::string& category, const std::string& phase = "X")
{
    json found;
    for (const json& e : trace.at("traceEvents"))
        if (e.value("cat", "") == category && e.at("ph") == phase) {
            REQUIRE(found.is_null());
            found = e;
        }
    REQUIRE_FALSE(found.is_null());
    return found;
}

} // namespace

TEST_CASE("what does not fit makes the oldest blocks give way", "[trace]")
{
    constexpr std::size_t records = 1000;
    trace_memory m(std::size_t{64} << 10);
    fill(m, 0, 0, records);
    const auto all = m.all();
    REQUIRE(all.size() + m.lost() == records);
    CHECK(m.lost() > 0);
    for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i].what.begin_ns == (records - all.size() + i) * us);
}

TEST_CASE("threads record side by side, and what they hold is read, too", "[trace]")
{
    trace_memory m(std::size_t{1} << 20);
    std::latch written(4), read(1);
    std::vector<std::jthread> threads;
    for (std::uint32_t t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            fill(m, t, 100 * t, 100);
            trace_memory::block* const mine = m.take(t);
            mine->add(record_of(9000 + t, 9000 + t));
            mine->extend((9100 + t) * us, 4);
            written.count_down();
            read.wait();
            m.give(*mine);
        });
    written.wait();
    std::size_t extended = 0;
    std::vector<std::size_t> of_thread(4);
    for (const auto& e : m.all()) {
        ++of_thread[e.thread];
        if (e.what.begin_ns < 9000 * us) continue;
        ++extended;
        CHECK(e.what.times == 5);
        CHECK(e.what.end_ns == e.what.begin_ns + 100 * us);
    }
    CHECK(extended == 4);
    CHECK(of_thread == std::vector<std::size_t>{101, 101, 101, 101});
    read.count_down();
}

TEST_CASE("a thread gets none if others hold all blocks", "[trace]")
{
    trace_memory m(std::size_t{32} << 10);
    std::vector<trace_memory::block*> held;
    while (trace_memory::block* const b = m.take(0)) held.push_back(b);
    REQUIRE_FALSE(held.empty());
    m.give(*held.back());
    CHECK(m.take(1) == held.back());
}

TEST_CASE("names are written as JSON wants them", "[trace]")
{
    for (const std::string text :
         {"plain", "\"quoted\" \\ \n\t\x01", "gr\xc3\xbc\xc3\x9f\x65, \xe2\x82\xac, \xf0\x9f\x8e\x89"})
        CHECK(json::parse(json_text(text)).get<std::string>() == text);
    for (const std::string text : {"\xff", "a\xc3", "\xed\xa0\x80", "\xc0\x80", "\xf8", "\xe2\x82"}) {
        const std::string read = json::parse(json_text(text)).get<std::string>();
        CHECK(read.find('?') != std::string::npos);
    }
}

TEST_CASE("calls, tasks, copies and arrows are events", "[trace]")
{
    const trace_file file(header_of(), one_call());
    const json trace = json::parse(file.text());
    const json call = the(trace, "call"), task = the(trace, "task"), copy = the(trace, "copy", "i");
    CHECK(call.at("name") == map_name);
    CHECK(call.at("ts") == 10.0);
    CHECK(call.at("dur") == 10.0);
    CHECK(call.at("args").at("line") == "app.cpp:12");
    CHECK(call.at("args").at("size") == "1 x 1000");
    CHECK(call.at("args").at("device") == "cuda 0: 4 of 4 tiles in 1 task");
    CHECK(call.at("args").at("why") == "free; planned 30.0 us; alone: cpu 60.0 us, cuda 0 12.0 us");
    CHECK(task.at("args").at("call") == call.at("args").at("call"));
    CHECK(copy.at("name") == "RAM to CUDA 0");
    const json from = the(trace, "call", "s"), to = the(trace, "call", "f");
    CHECK(from.at("id") == to.at("id"));
    CHECK(from.at("tid") == call.at("tid"));
    CHECK(to.at("tid") == task.at("tid"));
    CHECK(to.at("ts") == task.at("ts"));
}

TEST_CASE("what overlaps on a device gets a row of its own", "[trace]")
{
    trace_record a = record_of(0, 10, traced::task), b = record_of(5, 15, traced::task),
                 c = record_of(12, 20, traced::task);
    a.row = b.row = c.row = 2;
    const trace_file file(header_of(), {{0, a}, {0, b}, {0, c}});
    std::vector<int> rows;
    const json trace = json::parse(file.text());
    for (const json& e : trace.at("traceEvents"))
        if (e.at("ph") == "X") rows.push_back(e.at("tid").get<int>());
    REQUIRE(rows.size() == 3);
    CHECK(rows[1] == rows[0] + 1);
    CHECK(rows[2] == rows[0]);
}

TEST_CASE("a report says what took how long, beside what was planned, who waited, and what was copied", "[trace]")
{
    const trace_file file(header_of(), one_call());
    const trace_events t = read_traces({{file.path}});
    const auto sums = sums_of_calls(t);
    REQUIRE(sums.size() == 1);
    CHECK(sums[0].us == Approx(40));
    CHECK(sums[0].planned_us == Approx(30));
    CHECK(sums[0].queued_us == Approx(40));
    const std::string text = report_text(t);
    CHECK_THAT(text, Contains("app on node: 0.085 ms"));
    CHECK_THAT(text, Contains("0.040   47 %  CUDA 0"));
    CHECK_THAT(text, Contains("1 x 1000  map (app.cpp:12), cuda 0: 4 of 4 tiles in 1 task"));
    CHECK_THAT(text, Contains("1.33 of the plan"));
    CHECK_THAT(text, Contains("main thread: map"));
    CHECK_THAT(text, Contains("copied RAM to CUDA 0: 4.0 MB in 1 copy"));
}

TEST_CASE("ranks' files are merged by the machines' clocks", "[trace]")
{
    const trace_file first(header_of(0, 2), one_call()), second(header_of(1, 2), one_call());
    const trace_events t = read_traces({{second.path, first.path}});
    REQUIRE(t.all.size() == 8);
    CHECK(t.all.front().rank == 0);
    CHECK(t.all.front().begin_us == Approx(10));
    CHECK(t.all.back().end_us() <= t.end_us());
    CHECK(t.end_us() == Approx(195));
    CHECK_THAT(report_text(t), Contains("2 of 2 ranks") && Contains("rank 1: CUDA 0"));
    const trace_file merged(header_of(), {});
    merge_traces({{first.path, second.path}}, merged.path);
    CHECK(json::parse(merged.text()).at("traceEvents").size() ==
          json::parse(first.text()).at("traceEvents").size() + json::parse(second.text()).at("traceEvents").size());
    CHECK_THROWS_WITH(read_traces({{first.path, first.path}}), Contains("rank 0") && Contains("another one"));
}

TEST_CASE("files that are not there, cut off, or no traces are told", "[trace]")
{
    const trace_file file(header_of(), one_call());
    const std::string whole = file.text();
    const auto read = [&] { return read_traces({{file.path}}); };
    file.set(whole.substr(0, whole.size() / 2));
    CHECK_THROWS_WITH(read(), Contains("is cut off"));
    file.set("");
    CHECK_THROWS_WITH(read(), Contains("is empty"));
    file.set("time,name\n1,2\n");
    CHECK_THROWS_WITH(read(), Contains("is no JSON"));
    for (const char* other :
         {"{}", "[]", "{\"traceEvents\":[]}", "{\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"call\"}]}"}) {
        file.set(other);
        CHECK_THROWS_WITH(read(), Contains("is no trace of a program with skelrt"));
    }
    CHECK_THROWS_WITH(read_traces({{"/nowhere/run.json"}}), Contains("/nowhere/run.json cannot be read: No such file"));
    CHECK_THROWS_WITH(read_traces({{fs::temp_directory_path()}}), Contains("is a folder"));
}
