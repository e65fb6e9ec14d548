// SPDX-License-Identifier: BSD-3-Clause
#include "misuse.hpp"

#include <atomic>
#include <thread>

TEST_CASE("a second runtime is refused, the first goes on", "[runtime]")
{
    const sk::runtime rt;
    REQUIRE(sk::runtime::running());
    REQUIRE_THROWS_WITH(sk::runtime(), Contains("already lives") && Contains("one per process"));
    REQUIRE(sk::runtime::running());
    const sk::vector<int> x = twice(sk::vector<int>(10'000, 4));
    REQUIRE(values(x) == std::vector<int>(10'000, 8));
}

TEST_CASE("two threads that start a runtime: one gets it", "[runtime]")
{
    std::atomic<int> ready{0}, started{0}, refused{0};
    const auto start = [&] {
        ++ready;
        while (ready < 2) std::this_thread::yield();
        try {
            const sk::runtime rt;
            ++started;
            while (refused == 0) std::this_thread::yield();
        } catch (const sk::error&) {
            ++refused;
        }
    };
    {
        const std::jthread a(start), b(start);
    }
    REQUIRE(started == 1);
    REQUIRE(refused == 1);
    REQUIRE_FALSE(sk::runtime::running());
}

TEST_CASE("one runtime after the other", "[runtime]")
{
    sk::vector<int> x(20'000, 1);
    for (int k = 0; k < 3; ++k) {
        const sk::runtime rt;
        REQUIRE_FALSE(rt.devices().empty());
        x = twice(x);
    }
    REQUIRE(values(x) == std::vector<int>(20'000, 8));
}

TEST_CASE("containers need no runtime, tasks do", "[runtime]")
{
    const with_variable never_inline("SKELRT_INLINE_US", "0");
    REQUIRE_FALSE(sk::runtime::running());
    sk::vector<int> x(100'000, 1);
    const sk::vector<int> copy = x;
    x.resize(50'000);
    sk::wait(x);
    REQUIRE(values(copy) == std::vector<int>(100'000, 1));
    REQUIRE_THROWS_WITH(x = twice(x), Contains("no sk::runtime"));
    REQUIRE_THROWS_WITH(sum(x).get(), Contains("no sk::runtime"));
    REQUIRE_THROWS_WITH(sk::only(sk::device::cpu), Contains("no sk::runtime"));
    REQUIRE(values(x) == std::vector<int>(50'000, 1));
}

TEST_CASE("containers outlive the runtime with their data", "[runtime]")
{
    sk::vector<int> x(100'000, 3), untouched(10, 1);
    sk::matrix<int> m;
    sk::scalar<int> s;
    std::vector<int> mine(30'000, 1);
    sk::vector<int> borrowed(sk::borrow, mine.data(), mine.size());
    {
        const sk::runtime rt;
        for (int k = 0; k < 5; ++k) x = twice(x); // still running when the runtime ends
        m = twice(sk::matrix<int>(300, 200, 2));
        s = sum(x);
        borrowed = twice(borrowed);
    }
    REQUIRE(values(x) == std::vector<int>(100'000, 96));
    REQUIRE(values(m) == std::vector<int>(60'000, 4));
    REQUIRE(s.get() == 9'600'000);
    REQUIRE(values(borrowed) == std::vector<int>(30'000, 2));
    REQUIRE(mine == std::vector<int>(30'000, 2));
    const sk::vector<int> copy = x;
    x = untouched;
    REQUIRE(values(copy) == std::vector<int>(100'000, 96));
    REQUIRE_THROWS_WITH(x = twice(copy), Contains("no sk::runtime"));
}

TEST_CASE("an only-guard for devices that are not there", "[runtime]")
{
    const with_variable no_gpu("SKELRT_DEVICES", "cpu");
    const sk::runtime rt;
    REQUIRE(rt.devices().size() == 1);
    REQUIRE_THROWS_WITH(sk::only(sk::device::cuda), Contains("cuda") && Contains("cpu"));
    REQUIRE_THROWS_AS(sk::only(sk::device_set()), sk::error);
    const sk::only either(sk::device::cuda | sk::device::cpu);
    REQUIRE(values(sk::vector<int>(twice(sk::vector<int>(5, 1)))) == std::vector<int>(5, 2));
}

TEST_CASE("bad values in the environment are named", "[runtime][environment]")
{
    const auto [name, value] = GENERATE(table<const char*, const char*>({{"SKELRT_TILES", "0"},
                                                                         {"SKELRT_TILES", "many"},
                                                                         {"SKELRT_TILES", "8x"},
                                                                         {"SKELRT_INLINE_US", "-1"},
                                                                         {"SKELRT_LOG", "loud"},
                                                                         {"SKELRT_DEVICES", "gpu"},
                                                                         {"SKELRT_DEVICES", "cpu,"},
                                                                         {"SKELRT_OPENCL_ON_CPU", "yes"},
                                                                         {"SKELRT_MODEL", "guess"}}));
    {
        const with_variable bad(name, value);
        REQUIRE_THROWS_WITH(sk::runtime(), Contains(name) && Contains(value) && Contains("allowed"));
        REQUIRE_FALSE(sk::runtime::running());
    }
    const sk::runtime rt; // the next one starts as if nothing had been
}

TEST_CASE("no device at all", "[runtime][environment]")
{
    {
        const with_variable cuda("SKELRT_DEVICES", "cuda"), none("STARPU_NCUDA", "0");
        REQUIRE_THROWS_WITH(sk::runtime(), Contains("SKELRT_DEVICES"));
    }
    {
        const with_variable no_cores("STARPU_NCPU", "0");
        REQUIRE_THROWS_WITH(sk::runtime(), Contains("STARPU_NCPU"));
    }
    const sk::runtime rt;
    REQUIRE(values(sk::vector<int>(twice(sk::vector<int>(5, 1)))) == std::vector<int>(5, 2));
}

TEST_CASE("options choose devices, policy and tiles", "[runtime]")
{
    sk::options o;
    o.cuda_devices = 0;
    o.opencl_devices = 0;
    o.policy = "eager";
    o.tiles = 3;
    const sk::runtime rt(o);
    REQUIRE(rt.devices().size() == 1);
    REQUIRE(rt.devices()[0].kind == sk::device::cpu);
    REQUIRE(rt.devices()[0].cores >= 1);
    REQUIRE_FALSE(rt.devices()[0].name.empty());
    REQUIRE(values(sk::vector<int>(twice(sk::vector<int>(1000, 1)))) == std::vector<int>(1000, 2));
}
