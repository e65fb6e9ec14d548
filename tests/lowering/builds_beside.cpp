// SPDX-License-Identifier: BSD-3-Clause
/// Kernels that no cache has, built while the cores work, and before calls.

#include "src/config.hpp"
#include "src/jit/opencl.hpp"
#include "src/lowering/decide/kernels/kernel_builder.hpp"
#include "src/lowering/engine.hpp"
#if SKELRT_HAVE_CUDA
#include "src/jit/nvrtc.hpp"
#endif

#include <skelrt/skelrt.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

namespace sk = skelrt;
namespace fs = std::filesystem;
using namespace skelrt::detail;

namespace
{

/// The process ends as one that was skipped where there are only cores.
void need_another_device()
{
    constexpr int skipped = 77;
    [[maybe_unused]] static const bool is_here = [] {
        const sk::runtime rt;
        if (rt.devices().size() < 2) std::exit(skipped);
        return true;
    }();
}

/// An empty cache, and SKELRT_BUILDS.
class empty_cache
{
public:
    explicit empty_cache(const char* builds)
    {
        need_another_device();
        std::string name = (fs::temp_directory_path() / "skelrt-builds-XXXXXX").string();
        REQUIRE(mkdtemp(name.data()) != nullptr);
        folder_ = name;
        setenv("SKELRT_CACHE", folder_.c_str(), 1);
        setenv("SKELRT_BUILDS", builds, 1);
    }
    ~empty_cache()
    {
        unsetenv("SKELRT_BUILDS");
        unsetenv("SKELRT_CACHE");
        fs::remove_all(folder_);
    }

private:
    fs::path folder_;
};

unsigned compiled()
{
#if SKELRT_HAVE_CUDA
    return cuda_builds() + opencl::compiler_runs();
#else
    return opencl::compiler_runs();
#endif
}

void wait_for_builds() { engine::current()->builder().wait_for_all(); }

constexpr std::size_t n = 4'000'000; ///< calls that take cores less than 30 us look at no GPU

template <class Function>
bool gives(const Function& f, float factor)
{
    const sk::vector<float> x(n, 3.0f);
    const sk::vector<float> y = f(x);
    const auto view = sk::host_read(y);
    return std::ranges::all_of(view, [&](float v) { return v == 3 * factor; });
}

} // namespace

TEST_CASE("calls go on while their kernels are built, and the kernels are there in the end")
{
    const empty_cache here("beside");
    const sk::runtime rt;
    const unsigned before = compiled();
    const auto twice = sk::map(SKELRT_FN((float x) { return x + x; }));
    REQUIRE(gives(twice, 2));
    wait_for_builds();
    const unsigned after = compiled();
    CHECK(after > before);
    for (int k = 0; k < 20; ++k) REQUIRE(gives(twice, 2));
    wait_for_builds();
    CHECK(compiled() == after);
}

TEST_CASE("a call waits for its kernels where that is asked for")
{
    const empty_cache here("first");
    const sk::runtime rt;
    const unsigned before = compiled();
    REQUIRE(gives(sk::map(SKELRT_FN((float x) { return 5 * x; })), 5));
    CHECK(compiled() > before);
    CHECK_FALSE(engine::current()->builder().is_busy());
}

TEST_CASE("a call that may not use the cores waits for its kernels")
{
    const empty_cache here("beside");
    const sk::runtime rt;
    const unsigned before = compiled();
    const auto kind = rt.devices().back().kind;
    REQUIRE(kind != sk::device::cpu);
    const sk::only there(kind);
    REQUIRE(gives(sk::map(SKELRT_FN((float x) { return 7 * x; })), 7));
    CHECK(compiled() > before);
}

TEST_CASE("a device's call waits for kernels that another call has asked for")
{
    const empty_cache here("beside");
    const sk::runtime rt;
    const unsigned before = compiled();
    const auto triple = sk::map(SKELRT_FN((float x) { return 3 * x; }));
    REQUIRE(gives(triple, 3));
    const sk::only there(rt.devices().back().kind);
    REQUIRE(gives(triple, 3));
    CHECK(compiled() == before + 1);
}

TEST_CASE("eight threads have kernels built, and a runtime ends meanwhile")
{
    const empty_cache here("beside");
    for (int round = 0; round < 2; ++round) {
        const sk::runtime rt;
        std::vector<std::thread> threads;
        std::vector<int> right(8, 0);
        for (int t = 0; t < 8; ++t)
            threads.emplace_back([&right, t] {
                const float factor = static_cast<float>(t + 2);
                const auto scale = sk::map(SKELRT_FN((float x, float by) { return by * x; }));
                const auto scaled = [&](const sk::vector<float>& x) { return scale(x, factor); };
                right[static_cast<std::size_t>(t)] =
                    gives(scaled, factor) + gives(sk::map(SKELRT_FN((float x) { return 4 * x; })), 4);
            });
        for (std::thread& t : threads) t.join();
        CHECK(std::accumulate(right.begin(), right.end(), 0) == 16);
    }
}
