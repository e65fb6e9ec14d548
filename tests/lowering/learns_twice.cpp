// SPDX-License-Identifier: BSD-3-Clause
/// What is learnt is saved under names that hold in the next process. The program runs itself, so that each run is a
/// process of its own, in a place of its own.

#include "src/model/files/files.hpp"
#include "src/model/files/store.hpp"

#include "run_cases.hpp"

#include <skelrt/skelrt.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <set>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

namespace sk = skelrt;
namespace fs = std::filesystem;
using namespace skelrt::detail;

namespace
{

/// Episodes of one call, on data that no device has.
void learn()
{
    sk::options o;
    o.cpu_cores = 2;
    o.opencl_on_cpu = true;
    const sk::runtime rt(o);
    const auto twice = sk::map(SKELRT_FN((float x) { return x + x; }));
    for (int i = 0; i < 8; ++i) {
        const sk::vector<float> x(200'000, 1.0f), y = twice(x);
        if (sk::host_read(y)[199'999] != 2) std::exit(1);
    }
}

/// As programs mostly are: one chain of calls, then a sum, and what it was made of is never looked at.
void run_program()
{
    sk::options o;
    o.cpu_cores = 2;
    o.opencl_on_cpu = true;
    const sk::runtime rt(o);
    const auto next = sk::map(SKELRT_FN((float x) { return x + 1.0f; }));
    constexpr std::size_t n = 4'000'000;
    sk::vector<float> x(n, 1.0f);
    for (int i = 0; i < 10; ++i) x = next(x);
    if (sk::reduce(sk::plus, 0.0)(sk::cast<double>(x)) != 11.0 * n) std::exit(1);
}

struct folder {
    folder()
    {
        std::string name = (fs::temp_directory_path() / "skelrt-learns-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        path = name;
    }
    ~folder() { fs::remove_all(path); }
    fs::path file() const { return path / (machine_name() + ".json"); }
    fs::path path;
};

/// What the folder's file knows after one more run.
records after_a_run(const folder& f, const char* what = "learn")
{
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        setenv("SKELRT_MODELS", f.path.c_str(), 1);
        setenv("SKELRT_BUILDS", "first", 1); // an episode beside which kernels are built proves nothing
        execl("/proc/self/exe", "learns_twice", what, static_cast<char*>(nullptr));
        _exit(1);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(status == 0);
    return load_records(f.file());
}

template <class Map>
auto keys_of(const Map& all)
{
    std::set<typename Map::key_type> keys;
    for (const auto& [key, value] : all) keys.insert(key);
    return keys;
}

} // namespace

TEST_CASE("two processes that do the same learn of the same", "[learns_twice]")
{
    const folder one, other;
    const records a = after_a_run(one), b = after_a_run(other);
    REQUIRE(a.models.size() == 1);
    REQUIRE(keys_of(a.models) == keys_of(b.models));
    REQUIRE(a.usage.size() == 1);
    REQUIRE(keys_of(a.usage) == keys_of(b.usage));
    REQUIRE(a.usage.begin()->first == a.models.begin()->first);
    // Later episodes may begin where others end, but the first ones begin alike. None without a second kind of device.
    REQUIRE(a.strategies.empty() == b.strategies.empty());
    std::set<strategy_key> both;
    std::ranges::set_intersection(keys_of(a.strategies), keys_of(b.strategies), std::inserter(both, both.end()));
    REQUIRE(both.empty() == a.strategies.empty());
    for (const strategy_key& key : both) REQUIRE(key.start.recipe == a.models.begin()->first);
}

TEST_CASE("a program of one episode tells the next how long it was, and how often its data was used", "[learns_twice]")
{
    const folder f;
    const records known = after_a_run(f, "program");
    const records other = after_a_run(folder{});
    if (other.strategies.empty()) return; // cores alone: nothing is to be placed
    CHECK_FALSE(known.strategies.empty());
    std::size_t longest = 0;
    for (const auto& [key, of] : known.usage)
        for (const std::size_t calls : of.what.runs) longest = std::max(longest, calls);
    REQUIRE(longest >= 10);
}

TEST_CASE("what is in the file when a process begins is there when it ends", "[learns_twice]")
{
    const folder f;
    const records first = after_a_run(f);
    records foreign;
    foreign.usage[77] = {{0.25, true, {4}}, 5};
    foreign.links["cuda 7 gone"] = {{2, 1}, 5};
    foreign.strategies[{"cuda 7 gone", {77, 1, 1}, 1}] = {{3, {{"the planner", {3, 10, 9, 0, {}}}}}, 5};
    save_records(f.file(), foreign);
    const records then = after_a_run(f);
    REQUIRE(then.usage.at(77) == foreign.usage.at(77));
    REQUIRE(then.links.contains("cuda 7 gone"));
    REQUIRE(then.strategies.contains({"cuda 7 gone", {77, 1, 1}, 1}));
    REQUIRE(std::ranges::includes(keys_of(then.usage), keys_of(first.usage)));
    REQUIRE(std::ranges::includes(keys_of(then.strategies), keys_of(first.strategies)));
}

int main(int argc, char** argv)
{
    if (argc == 2 && std::string(argv[1]) == "learn") return learn(), 0;
    if (argc == 2 && std::string(argv[1]) == "program") return run_program(), 0;
    return test::run_cases(argc, argv);
}
