// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/files/store.hpp"
#include "src/model/files/files.hpp"

#include <skelrt/error.hpp>

#include <catch2/catch.hpp>

#include <fstream>
#include <random>

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace skelrt::detail;
using Catch::Contains;
namespace fs = std::filesystem;

namespace
{

/// A folder of its own, gone afterwards.
struct folder {
    folder()
    {
        std::string name = (fs::temp_directory_path() / "skelrt-models-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        path = name;
    }
    ~folder() { fs::remove_all(path); }
    fs::path path;
};

records some_runs(std::uint64_t key, std::int64_t when)
{
    records r;
    history& h = r.models;
    h[key].name = "map (test.cpp:1)";
    h[key][executor::team].add({1000, 10, when});
    r.usage[key] = {{0.5, true, {}}, when};
    return r;
}

void put(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }

/// Runs `what` in a child process; returns its number.
template <class What>
pid_t in_child(What what)
{
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child != 0) return child;
    try {
        what();
    } catch (...) {
        _exit(1);
    }
    _exit(0);
}

int status_of(pid_t child)
{
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    return status;
}

} // namespace

TEST_CASE("histories are saved and loaded, and saving keeps what others have saved", "[store]")
{
    const folder f;
    const fs::path file = f.path / "new" / "node.json";
    REQUIRE(load_records(file).models.empty());
    save_records(file, some_runs(1, 5));
    save_records(file, some_runs(2, 6));
    save_records(file, some_runs(1, 7));
    const records all = load_records(file);
    REQUIRE(all.models.size() == 2);
    REQUIRE(all.models.at(1)[executor::team].runs().size() == 2);
}

TEST_CASE("a bad file is set aside and nothing is lost of it", "[store]")
{
    const folder f;
    const fs::path file = f.path / "node.json";
    const std::string foreign = to_json(some_runs(1, 5), "another machine");
    for (const std::string& text : {std::string("{\"skelrt_models\": 1, \"mach"), std::string(), foreign}) {
        put(file, text);
        REQUIRE(load_records(file).models.empty());
        REQUIRE_FALSE(fs::exists(file));
        REQUIRE(read_file(file.string() + ".bad") == text);
        put(file, text);
        save_records(file, some_runs(3, 1));
        REQUIRE(load_records(file).models.size() == 1);
        REQUIRE(read_file(file.string() + ".bad2") == text);
        for (const char* aside : {".bad", ".bad2"}) fs::remove(file.string() + aside);
    }
}

TEST_CASE("bad files take the place of none before them, but for the last", "[store]")
{
    const folder f;
    const fs::path file = f.path / "node.json";
    for (int k = 1; k <= 12; ++k) {
        put(file, std::to_string(k));
        REQUIRE_FALSE(set_aside(file).empty());
    }
    REQUIRE(read_file(file.string() + ".bad") == "1");
    REQUIRE(read_file(file.string() + ".bad8") == "8");
    REQUIRE(read_file(file.string() + ".bad9") == "12");
}

TEST_CASE("what a killed process had half written goes with the next save, and nothing else does", "[store]")
{
    const folder f;
    const fs::path file = f.path / "node.json";
    put(file.string() + ".4711.0.new", "{");
    put(f.path / "other.json.4711.0.new", "{");
    save_records(file, some_runs(1, 5));
    REQUIRE_FALSE(fs::exists(file.string() + ".4711.0.new"));
    REQUIRE(fs::exists(f.path / "other.json.4711.0.new"));
    REQUIRE(load_records(file).models.size() == 1);
}

TEST_CASE("the same of facts about the machine", "[store]")
{
    const folder f;
    const fs::path facts = f.path / "node.machine.json", left = facts.string() + ".4711.0.new";
    put(left, "{");
    save_records(f.path / "node.json", some_runs(1, 1));
    REQUIRE(fs::exists(left)); // somebody may be at it
    save_machine(facts, {});
    REQUIRE_FALSE(fs::exists(left));
}

TEST_CASE("another skelrt's file stays as it is", "[store]")
{
    const folder f;
    const fs::path models = f.path / "node.json", facts = f.path / "node.machine.json";
    const std::string newer = R"({"skelrt_models": 99, "what": "nobody knows yet"})",
                      newer_facts = R"({"skelrt_machine": 99})";
    put(models, newer);
    put(facts, newer_facts);
    REQUIRE(load_records(models).models.empty());
    REQUIRE(load_machine(facts).devices.empty());
    REQUIRE_THROWS_WITH(save_records(models, some_runs(1, 1)), Contains("node.json: it has version 99"));
    REQUIRE_THROWS_WITH(save_machine(facts, {}), Contains("machine.json: it has version 99"));
    REQUIRE(read_file(models) == newer);
    REQUIRE(read_file(facts) == newer_facts);
    REQUIRE_FALSE(fs::exists(models.string() + ".bad"));
}

TEST_CASE("a file of models alone becomes one of all that is learnt, and keeps its runs", "[store]")
{
    const folder f;
    const fs::path file = f.path / "node.json";
    put(file, "{\"skelrt_models\": 1, \"machine\": \"" + machine_name() +
                  "\", \"codelets\": [{\"key\":\"02\",\"name\":\"map\",\"team\":[[9,1.5,3]]}]}");
    REQUIRE(load_records(file).models.at(2)[executor::team].runs() == std::vector<run>{{9, 1.5, 3}});
    save_records(file, some_runs(1, 5));
    const records all = load_records(file);
    REQUIRE(all.models.size() == 2);
    REQUIRE(all.models.at(2)[executor::team].runs() == std::vector<run>{{9, 1.5, 3}});
    REQUIRE(all.usage.size() == 1);
    REQUIRE_THAT(*read_file(file), Contains("\"skelrt_models\": 2"));
    REQUIRE_FALSE(fs::exists(file.string() + ".bad"));
}

TEST_CASE("who forgets loses nothing that others save meanwhile", "[store]")
{
    const folder f;
    const fs::path file = f.path / "node.json";
    constexpr std::uint64_t codelets = 40;
    save_records(file, some_runs(7, 1));
    const pid_t child = in_child([&] {
        for (std::uint64_t k = 0; k < codelets; ++k) save_records(file, some_runs(100 + k, 1));
    });
    for (int i = 0; i < 40; ++i) change_records(file, [](records& all) { all.models.erase(7), all.usage.erase(7); });
    REQUIRE(status_of(child) == 0);
    const records all = load_records(file);
    REQUIRE(all.models.size() == codelets);
    REQUIRE_FALSE(all.models.contains(7));
    REQUIRE_THROWS(change_records(file, [](records& all) { all = {}, throw skelrt::error("changed my mind"); }));
    REQUIRE(load_records(file).models.size() == codelets);
}

TEST_CASE("a folder that cannot be written is an error that names it", "[store]")
{
    const folder f;
    put(f.path / "file", "");
    REQUIRE_THROWS_WITH(save_records(f.path / "file" / "node.json", some_runs(1, 1)),
                        Contains("node.json") && Contains("SKELRT_MODELS"));
}

TEST_CASE("processes that save at once lose nothing", "[store]")
{
    const folder f;
    const fs::path file = f.path / "node.json";
    constexpr std::uint64_t writers = 4, codelets = 10;
    std::vector<pid_t> children;
    for (std::uint64_t w = 0; w < writers; ++w)
        children.push_back(in_child([&] {
            for (std::uint64_t k = 0; k < codelets; ++k) save_records(file, some_runs(100 * w + k, 1));
        }));
    for (pid_t child : children) REQUIRE(status_of(child) == 0);
    const records all = load_records(file);
    REQUIRE(all.models.size() == writers * codelets);
    REQUIRE(all.usage.size() == writers * codelets);
}

TEST_CASE("a process that is killed at any moment leaves a whole file", "[store]")
{
    const folder f;
    const fs::path file = f.path / "node.json";
    std::mt19937 random(std::random_device{}());
    std::uniform_int_distribution<useconds_t> moment(0, 15'000);
    std::size_t known = 0, killed = 0;
    for (std::uint64_t round = 0; round < 40; ++round) {
        const pid_t child = in_child([&] {
            for (std::uint64_t k = 0;; ++k) save_records(file, some_runs(1000 * round + k, 1));
        });
        usleep(moment(random));
        REQUIRE(kill(child, SIGKILL) == 0);
        killed += WIFSIGNALED(status_of(child)) ? 1 : 0;
        const auto text = read_file(file);
        if (!text) continue; // killed before its first file was there
        const records now = records_from_json(*text, machine_name());
        REQUIRE(now.models.size() >= known); // nothing that was saved is lost
        REQUIRE(now.usage.size() == now.models.size());
        known = now.models.size();
    }
    REQUIRE(killed == 40);
    REQUIRE(known > 0);
    save_records(file, some_runs(999'999, 1)); // nobody holds the lock
    REQUIRE(load_records(file).models.size() == known + 1);
}
