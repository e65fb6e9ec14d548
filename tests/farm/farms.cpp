// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/cores/compute_right.hpp"
#include "tests/stderr_of.hpp"

#include <skelrt/farm.hpp>
#include <skelrt/skelrt.hpp>

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <ranges>
#include <string>
#include <thread>
#include <tuple>
#include <variant>
#include <vector>

/// Farms of a few items.

namespace sk = skelrt;
namespace
{

/// Values that can be moved, and neither copied nor made without an argument.
struct box {
    explicit box(int n) : content(std::make_unique<int>(n)) {}
    std::unique_ptr<int> content;
};

const auto twice = sk::map(SKELRT_FN((float x) { return 2.0f * x; }));

} // namespace

TEST_CASE("a farm gives what its items give, as a tuple", "[farm]")
{
    const skelrt::runtime rt;
    int done = 0;
    const auto f =
        sk::farm([] { return 1; }, [] { return std::string("two"); }, [&] { done = 3; }, [] { return box(4); },
                 sk::item("five", [](std::stop_token stop) { return stop.stop_requested() ? 0 : 5; }));
    auto [one, two, none, four, five] = f();
    CHECK(one == 1);
    CHECK(two == "two");
    CHECK(std::is_same_v<decltype(none), std::monostate>);
    CHECK(done == 3);
    CHECK(*four.content == 4);
    CHECK(five == 5);
}

TEST_CASE("a farm of nothing", "[farm]")
{
    const skelrt::runtime rt;
    CHECK(sk::farm()() == std::tuple<>());
}

TEST_CASE("a farm can be called again, and by several threads", "[farm][concurrent]")
{
    const skelrt::runtime rt;
    std::atomic<int> ran{0};
    const auto f = sk::farm([&] { return ++ran; }, [&] { return ++ran; });
    std::vector<std::thread> callers;
    for (int t = 0; t < 4; ++t)
        callers.emplace_back([&] {
            for (int k = 0; k < 100; ++k) f();
        });
    for (std::thread& t : callers) t.join();
    CHECK(ran == 800);
}

TEST_CASE("items make skeleton calls, alone, nested and by sk::into", "[farm]")
{
    const skelrt::runtime rt;
    constexpr std::size_t n = 20'000;
    sk::vector<float> a(n, 1.0f), b(n, 2.0f), c(n), d(n);
    const auto sum = sk::reduce(sk::plus, 0.0f);
    for (int round = 0; round < 3; ++round) {
        const auto [left, right, none, inner] = sk::farm(
            [&] {
                a = twice(a);
                return float(sum(a));
            },
            [&] {
                b = twice(b);
                return float(sum(b));
            },
            sk::into(c, twice(d)), sk::farm([&] { return float(sum(d)); }, [] { return 1; }))();
        const auto factor = static_cast<float>(2 << round);
        CHECK(left == factor * n);
        CHECK(right == 2 * factor * n);
        CHECK(std::get<0>(inner) == 0);
    }
    CHECK(float(sum(c)) == 0);
}

TEST_CASE("a started farm goes on by itself, and its future is shared", "[farm]")
{
    const skelrt::runtime rt;
    sk::future<std::tuple<int, std::monostate>> kept;
    {
        auto f = sk::farm([] { return 3; }, [] {}).named("short");
        kept = f.start();
    } // the farm goes first
    const auto other = kept;
    CHECK(std::get<0>(other.get()) == 3);
    CHECK(std::get<0>(kept.get()) == 3);
    CHECK(kept.done());
    CHECK(kept.error() == nullptr);
    CHECK(kept.name().find("farm short") != std::string::npos);
}

TEST_CASE("nobody need wait for what was started", "[farm]")
{
    std::atomic<int> ran{0};
    {
        const skelrt::runtime rt;
        for (int k = 0; k < 10; ++k) sk::farm([&] { ++ran; }).start();
    } // waits for those that have begun
    CHECK(ran <= 10);
}

TEST_CASE("a runtime's end waits for items that run, and cancels the others", "[farm][concurrent]")
{
    std::atomic<bool> begun{false};
    std::atomic<int> ended{0};
    const auto slow = [&](int) {
        begun = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        ++ended;
    };
    const std::vector<int> inputs(1000);
    sk::future<std::monostate> running;
    {
        const skelrt::runtime rt;
        running = sk::farm(slow).start(inputs);
        while (!begun) std::this_thread::yield();
    }
    const int then = ended;
    CHECK(running.done());
    CHECK(then < 1000);
    CHECK_THROWS_AS(running.get(), sk::cancelled);
    const skelrt::runtime next; // with threads of its own
    CHECK(std::get<0>(sk::farm([] { return 1; })()) == 1);
    CHECK(ended == then);
}

TEST_CASE("the log tells of what a runtime's end cancels, and of nothing else", "[farm][concurrent]")
{
    const auto slow = [](int) { std::this_thread::sleep_for(std::chrono::milliseconds(5)); };
    const std::vector<int> inputs(1000);
    const std::string cut = stderr_of([&] {
        const skelrt::runtime rt;
        sk::farm(slow).named("save").start(inputs);
    });
    CHECK_THAT(cut, Catch::Contains("farm save: nobody waited for it, and the runtime ends"));
    const std::string all = stderr_of([&] {
        const skelrt::runtime rt;
        const auto waited = sk::farm(slow).start(std::views::iota(0, 3));
        const auto unwanted = sk::farm(slow).start(inputs);
        unwanted.cancel();
        waited.wait();
    });
    CHECK(all.empty());
}

TEST_CASE("sk::only of who starts a farm holds in its items, and ends with it", "[farm]")
{
    const skelrt::runtime rt;
    const auto all = [] {
        const skelrt::only cpu(skelrt::device::cpu);
        sk::vector<float> x(10, 1.0f);
        sk::farm([&] { x = twice(x); }, [&] { const sk::fusion off(false); })();
        return float(sk::reduce(sk::plus, 0.0f)(x));
    };
    CHECK(all() == 20);
}

TEST_CASE("an item that blocks is counted once as asleep, whatever it waits for meanwhile", "[farm]")
{
    using skelrt::detail::compute_right;
    const skelrt::runtime rt;
    sk::farm([] {
        const bool computes = compute_right::current() != nullptr;
        {
            const sk::blocking here;
            CHECK(compute_right::current() == nullptr);
            {
                const sk::blocking again;
                sk::farm([] {}, [] {})();
            }
            CHECK(compute_right::current() == nullptr);
        }
        CHECK((compute_right::current() != nullptr) == computes);
    })();
    CHECK(compute_right::current() == nullptr);
}

TEST_CASE("one item may wait for something that the other does, if it says so", "[farm][concurrent]")
{
    const skelrt::runtime rt;
    std::atomic<bool> there{false};
    const auto waits = [&] {
        const sk::blocking here;
        while (!there) std::this_thread::yield();
    };
    sk::farm(waits, waits, waits, waits, waits, waits, [&] { there = true; }).start().wait();
    SUCCEED();
}
