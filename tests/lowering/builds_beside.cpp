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

constexpr std::size_t n = 400'000; ///< kernels are for calls that gain more by them than it takes to load them

SKELRT_SHARED(float slowly(float wanted) {
    float y = wanted;
    for (int k = 0; k < 300; ++k) y = 0.5f * y + 0.5f * wanted;
    return y;
})

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
    const auto twice = sk::map(SKELRT_FN((float x) { return slowly(x + x); }));
    for (int k = 0; k < 20; ++k) REQUIRE(gives(twice, 2)); // those on the cores lose as much as a kernel costs
    wait_for_builds();
    const unsigned after = compiled();
    CHECK(after > before);
    for (int k = 0; k < 20; ++k) REQUIRE(gives(twice, 2));
    wait_for_builds();
    CHECK(compiled() == after);
}

TEST_CASE("calls that gain nothing by a device ask for no kernels, until they have lost as much as these cost")
{
    const empty_cache here("first");
    const sk::runtime rt;
    const unsigned before = compiled();
    const sk::vector<float> x(300'000, 3.0f);
    sk::vector<float> y;
    y = sk::map(SKELRT_FN((float v) { return 0.5f * v; }))(x);
    CHECK(compiled() == before);
    CHECK(sk::host_read(y)[7] == 1.5f);
}

TEST_CASE("a call waits for its kernels where that is asked for")
{
    const empty_cache here("first");
    const sk::runtime rt;
    const unsigned before = compiled();
    const auto five_times = sk::map(SKELRT_FN((float x) { return slowly(5 * x); }));
    for (int k = 0; k < 20; ++k) REQUIRE(gives(five_times, 5));
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
    REQUIRE(gives(sk::map(SKELRT_FN((float x) { return slowly(7 * x); })), 7));
    CHECK(compiled() > before);
}

TEST_CASE("a device's call waits for kernels that another call has asked for")
{
    const empty_cache here("beside");
    const sk::runtime rt;
    const unsigned before = compiled();
    const auto triple = sk::map(SKELRT_FN((float x) { return slowly(3 * x); }));
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
                const auto scale = sk::map(SKELRT_FN((float x, float by) { return slowly(by * x); }));
                const auto scaled = [&](const sk::vector<float>& x) { return scale(x, factor); };
                right[static_cast<std::size_t>(t)] =
                    gives(scaled, factor) + gives(sk::map(SKELRT_FN((float x) { return slowly(4 * x); })), 4);
            });
        for (std::thread& t : threads) t.join();
        CHECK(std::accumulate(right.begin(), right.end(), 0) == 16);
    }
}
