// SPDX-License-Identifier: BSD-3-Clause
#include "src/jit/cache.hpp"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace skelrt::detail;

namespace
{

/// A cache folder of this test's own, removed with all it holds.
class scratch_cache
{
public:
    scratch_cache()
    {
        std::string name = (fs::temp_directory_path() / "skelrt-cache-XXXXXX").string();
        folder_ = mkdtemp(name.data());
        setenv("SKELRT_CACHE", folder_.c_str(), 1);
    }
    ~scratch_cache()
    {
        unsetenv("SKELRT_CACHE");
        fs::permissions(folder_, fs::perms::owner_all);
        fs::remove_all(folder_);
    }
    const fs::path& folder() const { return folder_; }
    std::size_t files() const
    {
        std::size_t count = 0;
        for (auto&& entry : fs::directory_iterator{folder_}) count += entry.is_regular_file() ? 1 : 0;
        return count;
    }

private:
    fs::path folder_;
};

/// Runs f in `count` child processes at once; true if all of them return true.
template <typename F>
bool in_processes(int count, const F& f)
{
    std::vector<pid_t> children;
    for (int i = 0; i < count; ++i) {
        const pid_t child = fork();
        if (child == 0) _exit(f(i) ? 0 : 1);
        children.push_back(child);
    }
    bool good = true;
    for (const pid_t child : children) {
        int status = 0;
        waitpid(child, &status, 0);
        good = good && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    return good;
}

} // namespace

TEST_CASE("a key depends on all parts and their borders", "[cache]")
{
    CHECK(cache_key({"ab", "c"}).size() == 32);
    CHECK(cache_key({"ab", "c"}) == cache_key({"ab", "c"}));
    CHECK(cache_key({"ab", "c"}) != cache_key({"a", "bc"}));
    CHECK(cache_key({"ab", "c"}) != cache_key({"ab", "c", ""}));
}

TEST_CASE("what was stored is loaded, zero bytes and all", "[cache]")
{
    const scratch_cache cache;
    CHECK_FALSE(cache_load("k"));
    const std::string payload("a\0b\n", 4);
    cache_store("k", payload);
    CHECK(cache_load("k") == payload);
    cache_store("k", "");
    CHECK(cache_load("k") == "");
    CHECK(cache.files() == 1);
}

TEST_CASE("a missing folder is made, with its parents", "[cache]")
{
    const scratch_cache cache;
    setenv("SKELRT_CACHE", (cache.folder() / "a" / "b").c_str(), 1);
    cache_store("k", "payload");
    CHECK(cache_load("k") == "payload");
}

TEST_CASE("a damaged entry is removed and can be stored again", "[cache]")
{
    const scratch_cache cache;
    const std::string payload(1000, 'x');
    cache_store("k", payload);
    const auto size = fs::file_size(cache.folder() / "k");

    SECTION("one byte changed")
    {
        std::fstream file{cache.folder() / "k", std::ios::in | std::ios::out | std::ios::binary};
        file.seekp(static_cast<std::streamoff>(size / 2));
        file.put('y');
    }
    SECTION("truncated payload") { fs::resize_file(cache.folder() / "k", size - 1); }
    SECTION("truncated header") { fs::resize_file(cache.folder() / "k", 5); }
    SECTION("empty") { fs::resize_file(cache.folder() / "k", 0); }
    SECTION("longer than it says") { fs::resize_file(cache.folder() / "k", size + 1); }

    CHECK_FALSE(cache_load("k"));
    CHECK_FALSE(fs::exists(cache.folder() / "k"));
    cache_store("k", payload);
    CHECK(cache_load("k") == payload);
}

TEST_CASE("a cache that cannot be written is no error", "[cache]")
{
    const scratch_cache cache;
    // A file where the folder should be: works for root, too, whom permissions do not stop.
    std::ofstream{cache.folder() / "file"} << "in the way";
    setenv("SKELRT_CACHE", (cache.folder() / "file").c_str(), 1);
    cache_store("k", "payload");
    CHECK_FALSE(cache_load("k"));
}

TEST_CASE("a cache that is switched off keeps nothing, and makes no folder", "[cache]")
{
    const scratch_cache cache;
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(cache.folder());
    setenv("SKELRT_CACHE", "none", 1);
    cache_store("k", "payload");
    CHECK_FALSE(cache_load("k"));
    CHECK(cache_folder().empty());
    CHECK_FALSE(std::filesystem::exists("none"));
    std::filesystem::current_path(before);
}

TEST_CASE("readers in other processes see a whole entry or none", "[cache]")
{
    const scratch_cache cache;
    const auto payload = [](int writer) { return std::string(200'000, static_cast<char>('a' + writer)); };
    const auto whole = [&](const std::string& text) { return text == payload(text.front() - 'a'); };

    const bool good = in_processes(8, [&](int me) {
        for (int round = 0; round < 100; ++round) {
            cache_store("k", payload(me));
            const auto found = cache_load("k"); // never absent once stored: rename replaces
            if (!found || !whole(*found)) return false;
        }
        return true;
    });
    CHECK(good);
    CHECK(cache.files() == 1);
}
