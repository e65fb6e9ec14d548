// SPDX-License-Identifier: BSD-3-Clause
#include "src/jit/nvrtc.hpp"

#include "src/jit/cache.hpp"
#include "src/runtime/lookout/lookout.hpp"

#include "../stderr_of.hpp"

#include <skelrt/error.hpp>

#include <catch2/catch.hpp>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

using namespace skelrt::detail;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace
{

/// An empty cache folder for one test.
class empty_cache
{
public:
    empty_cache()
    {
        std::string name = (std::filesystem::temp_directory_path() / "skelrt-nvrtc-XXXXXX").string();
        folder_ = mkdtemp(name.data());
        setenv("SKELRT_CACHE", folder_.c_str(), 1);
    }
    ~empty_cache()
    {
        unsetenv("SKELRT_CACHE");
        std::filesystem::remove_all(folder_);
    }
    const std::filesystem::path& folder() const { return folder_; }

private:
    std::filesystem::path folder_;
};

const std::string good = "extern \"C\" __global__ void k(float* x) { x[0] = 1; }";

} // namespace

TEST_CASE("a program is built once, then found on disk; a damaged entry is rebuilt", "[nvrtc]")
{
    const empty_cache cache;
    const unsigned before = cuda_builds();
    const cuda_binary first = compile_cuda(good, "sm_90", "k"), second = compile_cuda(good, "sm_90", "k");
    CHECK(cuda_builds() == before + 1);
    CHECK(first.image == second.image);

    std::filesystem::resize_file(cache.folder() / first.key, 100);
    CHECK(compile_cuda(good, "sm_90", "k").image == first.image);
    CHECK(cuda_builds() == before + 2);

    compile_cuda(good, "sm_80", "k");
    CHECK(cuda_builds() == before + 3);
}

TEST_CASE("threads may compile at once", "[nvrtc]")
{
    const empty_cache cache;
    std::vector<std::string> images(4);
    std::vector<std::thread> threads;
    for (std::string& image : images)
        threads.emplace_back([&image] { image = compile_cuda(good, "sm_90", "k").image; });
    for (std::thread& t : threads) t.join();
    for (const std::string& image : images) CHECK((!image.empty() && image == images.front()));
}

TEST_CASE("a refused program throws, and is not cached", "[nvrtc]")
{
    const empty_cache cache;
    const std::string bad = "\n#line 12 \"my file (1).cpp\"\n__global__ void k() { nonsense; }\n";
    for (int i = 0; i < 2; ++i)
        CHECK_THROWS_WITH(compile_cuda(bad, "sm_90", "map"),
                          StartsWith("my file (1).cpp:12: error: identifier \"nonsense\""));
}

TEST_CASE("the message has the user's lines and none of ours", "[nvrtc]")
{
    const std::string log = "user.cpp(7): warning #177-D: variable \"i\" was declared but never referenced\n"
                            "   (float x) { int i; return y; }\n"
                            "                   ^\n"
                            "\n"
                            "user.cpp(7): error: identifier \"y\" is undefined\n"
                            "   (float x) { int i; return y; }\n"
                            "                             ^\n"
                            "          detected during instantiation of \"generated\" at line 3 of skelrt-generated\n"
                            "\n"
                            "skelrt-generated(3): error: no operator \"+\" matches\n"
                            "\n"
                            "2 errors detected in the compilation of \"skelrt-generated\".\n";
    const std::string message = readable_cuda_log(log, "map (user.cpp:7)");
    CHECK_THAT(message,
               StartsWith("user.cpp:7: error: identifier \"y\" is undefined\n    (float x) { int i; return y; }\n"));
    CHECK_THAT(message, Contains("                              ^") && Contains("map (user.cpp:7)"));
    CHECK_THAT(message, !Contains("generated") && !Contains("warning"));

    // Nothing of the user's in it: then all of it is worth reading.
    CHECK_THAT(readable_cuda_log("skelrt-generated(3): error: bad\n", "map"),
               StartsWith("map: ") && Contains("error: bad"));
}

TEST_CASE("what builds kernels for long is told while it does", "[nvrtc]")
{
    using namespace std::chrono_literals;
    const std::string text = stderr_of([] {
        const lookout looks(1ms, 1ms);
        const empty_cache cache;
        for (int i = 0; i < 20; ++i) // each for tens of milliseconds; a busy machine may let one go by
            compile_cuda(good + "// " + std::to_string(i), "sm_90", "map (app.cpp:7)");
    });
    CHECK_THAT(text, StartsWith("skelrt: still at work: main thread: builds the kernels of map (app.cpp:7), 0 s\n"));
    CHECK(look_at_deeds().empty());
}
