// SPDX-License-Identifier: BSD-3-Clause
#include <skelrt/farm.hpp>
#include <skelrt/group.hpp>
#include <skelrt/skelrt.hpp>

#include <catch2/catch.hpp>

#include <atomic>
#include <mutex>
#include <numeric>
#include <ranges>
#include <thread>
#include <vector>

/// Farms in farms, and what they wait for.

namespace sk = skelrt;
namespace
{

/// Items at each level, the last one at the bottom.
std::int64_t count_leaves(int depth, int width)
{
    if (depth == 0) return 1;
    const auto below = sk::farm([=](int) { return count_leaves(depth - 1, width); })(std::views::iota(0, width));
    return std::accumulate(below.begin(), below.end(), std::int64_t{0});
}

} // namespace

TEST_CASE("farms nest to any depth", "[farm]")
{
    const skelrt::runtime rt;
    CHECK(count_leaves(1, 1000) == 1000);
    CHECK(count_leaves(3, 10) == 1000);
    CHECK(count_leaves(10, 2) == 1024);
}

TEST_CASE("a lock held over a nested farm is no deadlock", "[farm]")
{
    const skelrt::runtime rt;
    std::mutex lock;
    int sum = 0;
    const auto worker = [&](int i) {
        const std::lock_guard mine(lock);
        for (int k : sk::farm([=](int j) { return i * j; })(std::views::iota(0, 10))) sum += k;
    };
    sk::farm(worker)(std::views::iota(0, 200));
    CHECK(sum == 45 * 199 * 100);
}

TEST_CASE("a lock held over a nested call is no deadlock", "[farm]")
{
    const skelrt::runtime rt;
    const auto add = sk::map(SKELRT_FN((float x) { return x + 1.0f; }));
    std::mutex lock;
    sk::vector<float> shared(5000, 0.0f);
    sk::farm([&](int) {
        const std::lock_guard mine(lock);
        shared = add(shared);
        static_cast<void>(float(sk::reduce(sk::maximum, 0.0f)(shared)));
    })(std::views::iota(0, 100));
    CHECK(float(sk::reduce(sk::maximum, 0.0f)(shared)) == 100);
}

TEST_CASE("items wait for futures of other farms", "[farm]")
{
    const skelrt::runtime rt;
    const auto first = sk::farm([] { return 20; }, [] { return 22; });
    const auto all = sk::farm([&](int) {
        const auto running = first.start();
        const auto [a, b] = running.get();
        return a + b;
    })(std::views::iota(0, 100));
    CHECK(std::accumulate(all.begin(), all.end(), 0) == 4200);
}

TEST_CASE("several threads farm at once, with calls of their own", "[farm][concurrent]")
{
    const skelrt::runtime rt;
    const auto add = sk::map(SKELRT_FN((float x, float k) { return x + k; }));
    std::vector<std::thread> threads;
    std::atomic<int> right{0};
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (int round = 0; round < 10; ++round) {
                const auto sums = sk::farm([&](int i) {
                    sk::vector<float> x(1000, static_cast<float>(t));
                    x = add(x, static_cast<float>(i));
                    return float(sk::reduce(sk::plus, 0.0f)(x));
                })(std::views::iota(0, 20));
                bool all = true;
                for (int i = 0; i < 20; ++i)
                    all = all && sums[static_cast<std::size_t>(i)] == 1000.0f * static_cast<float>(t + i);
                right += all;
            }
        });
    for (std::thread& t : threads) t.join();
    CHECK(right == 40);
}

TEST_CASE("items change one container in turns, and calls keep their order", "[farm]")
{
    const skelrt::runtime rt;
    const auto add = sk::map(SKELRT_FN((float x) { return x + 1.0f; }));
    sk::vector<float> a(100, 0.0f), b(100, 0.0f);
    sk::farm(
        [&] {
            for (int k = 0; k < 50; ++k) a = add(a);
        },
        [&] {
            for (int k = 0; k < 70; ++k) b = add(b);
        })();
    CHECK(float(sk::reduce(sk::plus, 0.0f)(a)) == 5000);
    CHECK(float(sk::reduce(sk::plus, 0.0f)(b)) == 7000);
}

TEST_CASE("what an item gives is computed in the item, calls too", "[farm]")
{
    const sk::runtime rt;
    const auto twice = sk::map(SKELRT_FN((float x) { return 2 * x; }));
    const auto add = sk::reduce(SKELRT_FN((float a, float b) { return a + b; }));
    const std::vector<float> sums = sk::farm([&](int n) {
        const sk::vector<float> x(static_cast<std::size_t>(n), 1.0f); // gone when the farm ends
        return add(twice(x));
    })(std::vector<int>{1, 10, 1000});
    REQUIRE(sums == std::vector<float>{2, 20, 2000});
    auto [whole, some] = sk::farm([&] { return twice(sk::vector<float>(5, 1.0f)); },
                                  [&] { return twice(sk::matrix<float>(2, 3, 4.0f)); })();
    static_assert(std::is_same_v<decltype(whole), sk::vector<float>>);
    static_assert(std::is_same_v<decltype(some), sk::matrix<float>>);
    REQUIRE(sk::host_read(whole)[4] == 2);
    REQUIRE(sk::host_read(some)(1, 2) == 8);
}
