// SPDX-License-Identifier: BSD-3-Clause
// Runs ./traced with SKELRT_TRACE, as a user would, and reads what it has written.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace
{

namespace fs = std::filesystem;
using json = nlohmann::json;

/// An empty folder for each case.
struct own_folder {
    fs::path path;
    own_folder()
    {
        std::string name = (fs::temp_directory_path() / "traced-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()));
        path = name;
    }
    ~own_folder() { fs::remove_all(path); }
    own_folder(const own_folder&) = delete;
    own_folder& operator=(const own_folder&) = delete;
    fs::path file() const { return path / "run.json"; }
};

/// Its exit status as waitpid() has it. `signal`: is sent once it says that it is ready; 0: none.
int run(const own_folder& in, const char* what, const char* file, int signal = 0)
{
    int said[2];
    REQUIRE(pipe(said) == 0);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        if (chdir(in.path.c_str()) != 0) _exit(111);
        if (file) setenv("SKELRT_TRACE", file, 1);
        dup2(said[1], STDOUT_FILENO);
        close(said[0]);
        close(said[1]);
        execl(TRACED, TRACED, what, static_cast<char*>(nullptr));
        _exit(112);
    }
    close(said[1]);
    std::string text;
    std::array<char, 64> some;
    for (ssize_t n = 0; (n = read(said[0], some.data(), some.size())) > 0;) {
        text.append(some.data(), static_cast<std::size_t>(n));
        if (signal != 0 && text.find("ready") != std::string::npos) {
            kill(child, signal);
            break;
        }
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    close(said[0]);
    INFO(text);
    if (signal != 0) REQUIRE(text.find("ready") != std::string::npos);
    return status;
}

struct with {
    const char* name;
    with(const char* n, const char* value) : name(n) { setenv(n, value, 1); }
    ~with() { unsetenv(name); }
    with(const with&) = delete;
    with& operator=(const with&) = delete;
};

json read(const fs::path& file)
{
    std::ifstream in(file);
    REQUIRE(in);
    return json::parse(in);
}

std::vector<json> events(const json& trace, const std::string& category, const std::string& phase = "X")
{
    std::vector<json> found;
    for (const json& e : trace.at("traceEvents"))
        if (e.at("ph") == phase && (category.empty() || e.value("cat", "") == category)) found.push_back(e);
    return found;
}

/// Calls of the function that stands in traced.cpp, of that skeleton.
std::size_t calls_of(const json& trace, const std::string& skeleton)
{
    std::size_t n = 0;
    for (const json& e : events(trace, "call")) {
        const std::string name = e.at("name");
        if (name.starts_with(skeleton) && name.find("traced.cpp:") != std::string::npos)
            n += e.at("args").value("times", std::size_t{1});
    }
    return n;
}

bool is_within(const json& moment, const json& slice)
{
    const double at = moment.at("ts"), begin = slice.at("ts"), length = slice.at("dur");
    return moment.at("tid") == slice.at("tid") && moment.at("pid") == slice.at("pid") && at >= begin - 1e-3 &&
           at <= begin + length + 1e-3;
}

/// Each call has its tasks, and an arrow goes to each.
void check_tasks(const json& trace)
{
    const std::vector<json> tasks = events(trace, "task");
    std::map<std::uint64_t, std::set<std::uint64_t>> of_call;
    for (const json& t : tasks)
        of_call[t.at("args").at("call").get<std::uint64_t>()].insert(t.at("args").at("task").get<std::uint64_t>());
    std::map<std::uint64_t, json> calls;
    for (const json& c : events(trace, "call")) {
        const json& facts = c.at("args");
        const std::uint64_t number = facts.at("call");
        if (number == 0) continue;
        INFO(c.dump());
        CHECK(calls.emplace(number, c).second);
        CHECK(of_call[number].size() >= facts.at("tasks").get<std::size_t>());
    }
    std::map<std::uint64_t, json> begins;
    for (const json& a : events(trace, "call", "s")) CHECK(begins.emplace(a.at("id").get<std::uint64_t>(), a).second);
    std::set<std::uint64_t> ends;
    for (const json& a : events(trace, "call", "f")) {
        INFO(a.dump());
        REQUIRE(begins.contains(a.at("id").get<std::uint64_t>()));
        CHECK(ends.insert(a.at("id").get<std::uint64_t>()).second);
        const json* task = nullptr;
        for (const json& t : tasks)
            if (is_within(a, t) && std::abs(t.at("ts").get<double>() - a.at("ts").get<double>()) < 1) task = &t;
        REQUIRE(task);
        CHECK(is_within(begins.at(a.at("id").get<std::uint64_t>()),
                        calls.at(task->at("args").at("call").get<std::uint64_t>())));
    }
    std::size_t of_calls = 0;
    for (const json& t : tasks) of_calls += calls.contains(t.at("args").at("call").get<std::uint64_t>());
    CHECK(ends.size() == of_calls);
    CHECK(begins.size() == of_calls);
}

bool by_tasks()
{
    const char* const limit = std::getenv("SKELRT_INLINE_US");
    return limit && std::string(limit) == "0";
}

} // namespace

TEST_CASE("each call is there, with its line, its size, where it went and why, and its tasks", "[trace]")
{
    const own_folder here;
    REQUIRE(run(here, "calls", "run.json") == 0);
    const json trace = read(here.file());
    CHECK(trace.at("otherData").at("program") == "traced");
    CHECK(trace.at("otherData").at("lost_records") == 0);
    CHECK(calls_of(trace, "map") == 5);
    CHECK(calls_of(trace, "reduce") == 1);
    for (const json& c : events(trace, "call")) {
        const json& facts = c.at("args");
        INFO(c.dump());
        CHECK(facts.at("size") == "1 x 100000");
        CHECK(facts.at("line").get<std::string>().find("traced.cpp:") != std::string::npos);
        CHECK_FALSE(facts.at("device").get<std::string>().empty());
        CHECK(facts.at("device") != "none");
        CHECK(facts.at("why").get<std::string>().starts_with("free"));
    }
    check_tasks(trace);
    if (by_tasks()) CHECK(events(trace, "task").size() >= 6);
    const std::string devices = std::getenv("SKELRT_DEVICES") ? std::getenv("SKELRT_DEVICES") : "";
    if (devices != "opencl") return;
    CHECK_FALSE(events(trace, "", "C").empty()); // bytes to the device
    std::set<std::string> rows;
    for (const json& e : events(trace, "", "M"))
        if (e.at("name") == "thread_name") rows.insert(e.at("args").at("name").get<std::string>());
    CHECK(rows.contains("OpenCL 0"));
}

TEST_CASE("calls of eight threads stand in eight rows", "[trace]")
{
    const own_folder here;
    REQUIRE(run(here, "threads", "run.json") == 0);
    const json trace = read(here.file());
    CHECK(calls_of(trace, "map") == 160);
    CHECK(calls_of(trace, "reduce") == 8);
    std::set<int> rows;
    for (const json& c : events(trace, "call")) rows.insert(c.at("tid").get<int>());
    CHECK(rows.size() == 8);
    check_tasks(trace);
}

TEST_CASE("short calls in a row are one slice with their number, others are seen one by one", "[trace]")
{
    if (by_tasks()) return;
    const own_folder here;
    REQUIRE(run(here, "short", "run.json") == 0);
    const json trace = read(here.file());
    CHECK(calls_of(trace, "map") > 59900); // those that are under way in no clock's sight count at the next look
    CHECK(calls_of(trace, "map") <= 60000);
    std::uint64_t longest = 0;
    for (const json& c : events(trace, "call"))
        longest = std::max(longest, c.at("args").value("times", std::uint64_t{1}));
    CHECK(longest > 100);
}

TEST_CASE("where memory is full, older records make room, and the file says how many", "[trace]")
{
    if (by_tasks()) return;
    const own_folder here;
    const with little("SKELRT_TRACE_MB", "1");
    REQUIRE(run(here, "short", "run.json") == 0);
    const json trace = read(here.file());
    CHECK(trace.at("otherData").at("lost_records").get<std::uint64_t>() > 10000);
    CHECK(events(trace, "call").size() > 1000);
}

TEST_CASE("items and tasks of the user's", "[trace]")
{
    const own_folder here;
    REQUIRE(run(here, "items", "run.json") == 0);
    const json items = read(here.file());
    std::set<std::uint64_t> numbers;
    for (const json& i : events(items, "item")) {
        CHECK(i.at("name").get<std::string>().find("studies") != std::string::npos);
        numbers.insert(i.at("args").at("item").get<std::uint64_t>());
    }
    CHECK(numbers == std::set<std::uint64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    CHECK(calls_of(items, "map") == 10);
    REQUIRE(run(here, "tasks", "run.json") == 0);
    const json tasks = read(here.file());
    CHECK(events(tasks, "call").size() == 10);
    CHECK(events(tasks, "task").size() == 10);
    check_tasks(tasks);
}

TEST_CASE("a second runtime adds to the file of the first", "[trace]")
{
    const own_folder here;
    REQUIRE(run(here, "twice", "run.json") == 0);
    const json trace = read(here.file());
    CHECK(calls_of(trace, "map") == 10);
    check_tasks(trace);
}

TEST_CASE("it is written when the program is interrupted, throws, or exits", "[trace]")
{
    const own_folder here;
    for (const int signal : {SIGINT, SIGTERM}) {
        const int status = run(here, "interrupted", "run.json", signal);
        REQUIRE(WIFSIGNALED(status));
        CHECK(WTERMSIG(status) == signal);
        CHECK(calls_of(read(here.file()), "map") >= 5);
        fs::remove(here.file());
    }
    const int thrown = run(here, "throws", "run.json");
    REQUIRE(WIFSIGNALED(thrown));
    CHECK(WTERMSIG(thrown) == SIGABRT);
    CHECK(calls_of(read(here.file()), "map") == 5);
    fs::remove(here.file());
    REQUIRE(run(here, "exits", "run.json") == 0);
    CHECK(calls_of(read(here.file()), "map") == 5);
}

TEST_CASE("a program's own handler stays its own", "[trace]")
{
    const own_folder here;
    REQUIRE(run(here, "own handler", "run.json") == 0);
    CHECK(calls_of(read(here.file()), "map") == 5);
}

TEST_CASE("without SKELRT_TRACE nothing is written; where nothing can be written, the runtime says so", "[trace]")
{
    const own_folder here;
    REQUIRE(run(here, "calls", nullptr) == 0);
    CHECK(fs::is_empty(here.path));
    const int status = run(here, "calls", "/nowhere/run.json");
    REQUIRE(WIFSIGNALED(status)); // sk::error, which nobody catches
    CHECK(WTERMSIG(status) == SIGABRT);
}
