// SPDX-License-Identifier: BSD-3-Clause
#include "tests/message_of.hpp"

#include <skelrt/farm.hpp>
#include <skelrt/group.hpp>
#include <skelrt/skelrt.hpp>

#include <catch2/catch.hpp>

#include <atomic>
#include <numeric>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

/// What items throw, and what is cancelled.

namespace sk = skelrt;
using Catch::Contains;

namespace
{

std::vector<int> numbers(int n)
{
    std::vector<int> all(static_cast<std::size_t>(n));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

const auto throws_at_multiples = [](int of) {
    return [of](int i) {
        if (i % of == of - 1) throw std::runtime_error("bad " + std::to_string(i));
        return i;
    };
};

} // namespace

TEST_CASE("an item that throws is named, with its farm and the line", "[farm][errors]")
{
    const skelrt::runtime rt;
    const auto f =
        sk::farm([] { return 1; }, sk::item("left eye", [] { throw std::runtime_error("no light"); })).named("eyes");
    const std::string message = message_of([&] { f(); });
    CHECK_THAT(message, Contains("errors.cpp:") && Contains("farm eyes, item 1 (left eye): no light"));
}

TEST_CASE("all items run, and the errors come together, the first in order first", "[farm][errors]")
{
    const skelrt::runtime rt;
    std::atomic<int> ran{0};
    const auto f = sk::farm([&](int i) {
        ++ran;
        return throws_at_multiples(10)(i);
    });
    try {
        f(numbers(100));
        FAIL("nothing was thrown");
    } catch (const sk::item_error& e) {
        CHECK(e.count() == 10);
        CHECK_THAT(e.what(), Contains("item 9: bad 9 (10 items threw)"));
        CHECK_THROWS_WITH(std::rethrow_if_nested(e), "bad 9");
        CHECK_THROWS_WITH(std::rethrow_exception(e.all()[3]), "bad 39");
    }
    CHECK(ran == 100);
}

TEST_CASE("a farm may stop at the first error", "[farm][errors]")
{
    const skelrt::runtime rt;
    std::atomic<int> ran{0};
    auto f = sk::farm([&](int i) {
        ++ran;
        if (i == 3) throw std::runtime_error("stop");
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    });
    CHECK_THROWS_AS(f.stop_on_error()(numbers(10'000)), sk::item_error);
    CHECK(ran < 5000);
}

TEST_CASE("what is no std::exception is an error, too", "[farm][errors]")
{
    const skelrt::runtime rt;
    CHECK_THAT(message_of([] { sk::farm([] { throw 3; })(); }),
               Contains("item 0: something that is no std::exception"));
}

TEST_CASE("errors of nested farms name all farms on the way", "[farm][errors]")
{
    const skelrt::runtime rt;
    const auto inner = sk::farm([] {}, [] { throw std::runtime_error("deep"); }).named("inner");
    const auto outer = sk::farm(inner, [] {}).named("outer");
    CHECK_THAT(message_of([&] { outer(); }), Contains("farm outer, item 0: ") && Contains("farm inner, item 1: deep"));
}

TEST_CASE("errors of skeleton calls in items come from the item that reads", "[farm][errors]")
{
    const skelrt::runtime rt;
    const sk::vector<float> a(10), b(11);
    sk::vector<float> c(10);
    const auto add = sk::map(SKELRT_FN((float x, float y) { return x + y; }));
    CHECK_THAT(message_of([&] { sk::farm([&] { c = add(a, b); })(); }), Contains("item 0: ") && Contains("11"));
    sk::farm([&] { c = add(a, a); })(); // and all is well again
}

TEST_CASE("who cancels a farm ends what has not begun, and tells what runs", "[farm][errors][concurrent]")
{
    const skelrt::runtime rt;
    std::atomic<bool> begun{false}, told{false};
    const auto f = sk::farm([&](int, std::stop_token stop) {
                       begun = true;
                       while (!stop.stop_requested()) std::this_thread::yield();
                       told = true;
                   }).named("endless");
    const auto inputs = numbers(1000);
    const auto running = f.start(inputs);
    while (!begun) std::this_thread::yield();
    CHECK_FALSE(running.done());
    running.cancel();
    running.wait();
    CHECK(told);
    CHECK_THROWS_AS(running.get(), sk::cancelled);
    CHECK_THAT(message_of([&] { running.get(); }),
               Contains("farm endless: cancelled after ") && Contains("of 1000 items"));
}

TEST_CASE("nested farms are cancelled with the item that started them", "[farm][errors][concurrent]")
{
    const skelrt::runtime rt;
    std::atomic<bool> begun{false};
    const auto endless = [&](std::stop_token stop) {
        begun = true;
        while (!stop.stop_requested()) std::this_thread::yield();
    };
    const auto f = sk::farm([&] { sk::farm([&] { sk::farm(endless)(); })(); });
    const auto running = f.start();
    while (!begun) std::this_thread::yield();
    running.cancel();
    running.wait(); // or the test hangs
    SUCCEED();
}

TEST_CASE("a cancelled farm whose items had all run has its result", "[farm][errors]")
{
    const skelrt::runtime rt;
    const auto running = sk::farm([] { return 7; }).start();
    running.wait();
    running.cancel();
    CHECK(std::get<0>(running.get()) == 7);
}

TEST_CASE("what a consumer throws stops the farm and is thrown on", "[farm][errors]")
{
    const skelrt::runtime rt;
    auto f = sk::farm([](int i) { return i; });
    std::atomic<int> seen{0};
    const auto consumer = [&](std::size_t, int i) {
        ++seen;
        if (i == 50) throw std::runtime_error("full");
    };
    CHECK_THROWS_WITH(f.each(numbers(100'000), consumer), "full");
    CHECK(seen == 51);
    CHECK_THROWS_WITH(f.in_any_order().each(numbers(100'000), consumer), "full");
}

TEST_CASE("what inputs throw stops the farm and is thrown on", "[farm][errors]")
{
    const skelrt::runtime rt;
    const auto inputs = std::views::iota(0) | std::views::transform([](int i) {
                            if (i == 20) throw std::runtime_error("end of tape");
                            return i;
                        }) |
                        std::views::take_while([](int) { return true; });
    std::size_t taken = 0;
    CHECK_THROWS_WITH(sk::farm([](int i) { return i; }).each(inputs, [&](std::size_t, int) { ++taken; }),
                      "end of tape");
    CHECK(taken <= 20);
}

TEST_CASE("farms, groups and their waits are refused inside user functions and without a runtime", "[farm][errors]")
{
    const auto f = sk::farm([] {});
    CHECK_THAT(message_of([&] { f(); }), Contains("no sk::runtime lives"));
    sk::group g("g");
    CHECK_THAT(message_of([&] { g.run([] {}); }), Contains("sk::group::run") && Contains("no sk::runtime lives"));
    CHECK_THROWS_AS(sk::future<int>().get(), sk::error);
    const skelrt::runtime rt;
    const auto running = f.start();
    running.wait();
}
