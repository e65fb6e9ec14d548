// SPDX-License-Identifier: BSD-3-Clause
#include "tests/message_of.hpp"

#include <skelrt/farm.hpp>
#include <skelrt/pipeline.hpp>
#include <skelrt/skelrt.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <numeric>
#include <optional>
#include <ranges>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

/// Pipelines: which values go through which stages, in which order, how many at once; what goes wrong.

namespace sk = skelrt;
using Catch::Contains;

namespace
{

/// 0, 1, ..., n - 1.
auto numbers(int n)
{
    return sk::source([n, next = 0]() mutable { return next < n ? std::optional(next++) : std::nullopt; });
}

/// Takes some microseconds, other ones for each value.
void take_time(int value)
{
    const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(value * 7919 % 23);
    while (std::chrono::steady_clock::now() < until) {}
}

/// How many threads are in a stage, and were at most.
class crowd
{
public:
    void enter()
    {
        const int now = ++inside_;
        for (int most = most_; now > most && !most_.compare_exchange_weak(most, now);) {}
    }
    void leave() { --inside_; }
    int most() const { return most_; }

private:
    std::atomic<int> inside_{0}, most_{0};
};

/// A stage that takes some time, and notes who is in it.
auto watched(crowd& c)
{
    return [&c](int i) {
        c.enter();
        take_time(i);
        c.leave();
        return i;
    };
}

std::vector<int> up_to(int n)
{
    std::vector<int> all(static_cast<std::size_t>(n));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

const auto add = sk::map(SKELRT_FN((float x, float k) { return x + k; }));
const auto sum = sk::reduce(sk::plus, 0.0f);

} // namespace

TEST_CASE("all values go through all stages", "[pipeline]")
{
    const int n = GENERATE(0, 1, 2, 10'000);
    const skelrt::runtime rt;
    std::atomic<std::int64_t> total{0};
    std::vector<int> seen;
    auto p = sk::pipeline(numbers(n), sk::parallel([](int i) { return 2 * i; }), sk::serial([&](int i) {
                              seen.push_back(i / 2);
                              return i;
                          }),
                          sk::parallel([&](int i) { total += i; }));
    CHECK(p() == static_cast<std::size_t>(n));
    CHECK(total == std::int64_t{n} * (n - 1));
    std::ranges::sort(seen);
    CHECK(seen == up_to(n));
    CHECK(p() == 0); // the source stays empty
}

TEST_CASE("the order of the source is kept by in_order, whatever the stages before take", "[pipeline]")
{
    const std::size_t window = GENERATE(0u, 1u, 2u, 7u, 100u);
    const skelrt::runtime rt;
    std::vector<int> first, last;
    auto p = sk::pipeline(numbers(2000), sk::parallel([](int i) { return take_time(i), i; }), sk::in_order([&](int i) {
                              first.push_back(i);
                              return i;
                          }),
                          sk::parallel([](int i) { return take_time(i), i; }), sk::serial([](int i) { return i; }),
                          sk::in_order([&](int i) { last.push_back(i); }))
                 .window(window);
    CHECK(p() == 2000);
    CHECK(first == up_to(2000));
    CHECK(last == up_to(2000));
}

TEST_CASE("one thread at a time is in a serial stage, and no more than its limit in a parallel one", "[pipeline]")
{
    const skelrt::runtime rt;
    crowd source, serial, in_order, one, three;
    int next = 0;
    auto p = sk::pipeline(sk::source([&] {
                              source.enter();
                              take_time(next);
                              source.leave();
                              return next < 3000 ? std::optional(next++) : std::nullopt;
                          }),
                          sk::parallel(watched(three), 3), sk::serial(watched(serial)), sk::parallel(watched(one), 1),
                          sk::in_order(watched(in_order)));
    CHECK(p() == 3000);
    CHECK(source.most() == 1);
    CHECK(serial.most() == 1);
    CHECK(one.most() == 1);
    CHECK(in_order.most() == 1);
    CHECK(three.most() <= 3);
}

TEST_CASE("a limited stage takes as many as it may", "[pipeline][concurrent]")
{
    const skelrt::runtime rt;
    crowd both;
    auto p = sk::pipeline(numbers(50), sk::parallel(
                                           [&](int) {
                                               both.enter();
                                               const sk::blocking here; // so that others begin on one core, too
                                               std::this_thread::sleep_for(std::chrono::milliseconds(2));
                                               both.leave();
                                           },
                                           2));
    CHECK(p() == 50);
    CHECK(both.most() == 2);
}

TEST_CASE("no more values are alive than the window has", "[pipeline]")
{
    const int window = GENERATE(1, 2, 5);
    const skelrt::runtime rt;
    std::atomic<int> alive{0}, most{0};
    int next = 0;
    const auto begins = [&] {
        const int now = ++alive;
        most = std::max<int>(most, now);
    };
    auto p = sk::pipeline(sk::source([&]() -> std::optional<int> {
                              if (next == 2000) return std::nullopt;
                              begins();
                              return next++;
                          }),
                          sk::parallel([](int i) { return take_time(i), i; }), sk::in_order([&](int) { --alive; }))
                 .window(static_cast<std::size_t>(window));
    CHECK(p() == 2000);
    CHECK(most <= window);
}

TEST_CASE("values need only be movable, and their types change from stage to stage", "[pipeline]")
{
    const skelrt::runtime rt;
    struct box {
        explicit box(int n) : content(std::make_unique<int>(n)) {}
        std::unique_ptr<int> content;
    };
    std::string all;
    int next = 0;
    auto p =
        sk::pipeline(sk::source([&] { return next < 5 ? std::optional<box>(next++) : std::nullopt; }),
                     sk::parallel([](box b) { return std::make_unique<std::string>(std::to_string(*b.content)); }),
                     sk::serial([](std::unique_ptr<std::string>&& s) { return std::vector<std::string>(2, *s); }),
                     sk::in_order([&](const std::vector<std::string>& v, std::stop_token) { all += v[0] + v[1]; }));
    CHECK(p() == 5);
    CHECK(all == "0011223344");
}

TEST_CASE("values end when they have gone through, and when they are dropped", "[pipeline]")
{
    const skelrt::runtime rt;
    const auto watched = std::make_shared<int>(0);
    std::atomic<int> next{0};
    const auto begin = [&] { return next < 1000 ? (++next, std::optional(watched)) : std::nullopt; };
    sk::pipeline(sk::source(begin), sk::parallel([](auto v) { return v; }), sk::serial([](auto) {}))();
    CHECK(watched.use_count() == 1);
    next = 0;
    const auto fails = [&](auto v) { return next > 500 ? throw std::runtime_error("half") : v; };
    CHECK_THROWS_AS(sk::pipeline(sk::source(begin), sk::parallel(fails), sk::in_order([](auto) {}))(), sk::item_error);
    CHECK(watched.use_count() == 1);
}

TEST_CASE("containers go through stages with skeleton calls", "[pipeline]")
{
    const skelrt::runtime rt;
    std::vector<float> sums;
    int next = 0;
    auto p = sk::pipeline(sk::source([&]() -> std::optional<sk::vector<float>> {
                              if (next == 100) return std::nullopt;
                              return sk::vector<float>(5000, static_cast<float>(next++));
                          }),
                          sk::parallel([](sk::vector<float> x) {
                              x = add(x, 1.0f);
                              return x;
                          }),
                          sk::serial([](sk::vector<float> x) {
                              sk::matrix<float> m(2, 10, float(sum(x)));
                              return m;
                          }),
                          sk::in_order([&](sk::matrix<float> m) { sums.push_back(sk::host_read(m)(1, 9)); }));
    CHECK(p() == 100);
    REQUIRE(sums.size() == 100);
    for (std::size_t k = 0; k < sums.size(); ++k) CHECK(sums[k] == 5000.0f * static_cast<float>(k + 1));
}

TEST_CASE("farms and pipelines run in stages, and pipelines in farms", "[pipeline]")
{
    const skelrt::runtime rt;
    const auto inner = [](int n) {
        std::int64_t total = 0;
        sk::pipeline(numbers(n), sk::parallel([](int i) { return 2 * i; }), sk::in_order([&](int i) { total += i; }))();
        return total;
    };
    std::int64_t total = 0;
    auto p = sk::pipeline(numbers(100), sk::parallel([&](int i) {
                              const auto twice = sk::farm([](int k) { return 2 * k; })(std::views::iota(0, i));
                              return std::accumulate(twice.begin(), twice.end(), std::int64_t{0});
                          }),
                          sk::parallel([&](std::int64_t s) { return s - inner(10); }, 2),
                          sk::serial([&](std::int64_t s) { return s + inner(10); }),
                          sk::in_order([&](std::int64_t s) { total += s; }));
    CHECK(p() == 100);
    CHECK(total == 323'400); // of i (i - 1)
    const auto all = sk::farm([&](int i) { return inner(i); })(std::views::iota(0, 50));
    for (int i = 0; i < 50; ++i) CHECK(all[static_cast<std::size_t>(i)] == std::int64_t{i} * (i - 1));
}

TEST_CASE("several threads run pipelines of their own at once", "[pipeline][concurrent]")
{
    const skelrt::runtime rt;
    std::atomic<int> right{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&] {
            for (int round = 0; round < 10; ++round) {
                std::vector<int> seen;
                sk::pipeline(numbers(300), sk::parallel([](int i) { return take_time(i), i; }),
                             sk::serial([](int i) { return i; }), sk::in_order([&](int i) { seen.push_back(i); }))();
                right += seen == up_to(300);
            }
        });
    for (std::thread& t : threads) t.join();
    CHECK(right == 40);
}

TEST_CASE("a started pipeline goes on by itself, one run at a time", "[pipeline][concurrent]")
{
    const skelrt::runtime rt;
    std::atomic<bool> may_end{false};
    sk::future<std::size_t> running;
    {
        auto p = sk::pipeline(numbers(10), sk::serial([&](int) {
                                  while (!may_end) std::this_thread::yield();
                              }))
                     .named("slow");
        running = p.start();
        CHECK_THAT(message_of([&] { p(); }), Contains("runs already"));
    } // the pipeline goes first
    CHECK_FALSE(running.done());
    CHECK_THAT(running.name(), Contains("pipelines.cpp:") && Contains("pipeline slow"));
    may_end = true;
    CHECK(running.get() == 10);
    CHECK(running.error() == nullptr);
}

TEST_CASE("who throws is named: the value, the stage, its name", "[pipeline][errors]")
{
    const skelrt::runtime rt;
    const auto fails = [](int i) { return i == 17 ? throw std::runtime_error("no light") : i; };
    const auto passes = [](int i) { return i; };
    const auto says = [&](auto... stage) {
        return message_of<sk::item_error>([&] { sk::pipeline(numbers(1000), std::move(stage)...).named("film")(); });
    };
    CHECK_THAT(says(sk::parallel(passes), sk::serial("canny", fails), sk::in_order(passes)),
               Contains("pipelines.cpp:") && Contains("pipeline film, token 17, stage 2 (canny): no light"));
    CHECK_THAT(says(sk::parallel(fails).named("blur"), sk::in_order(passes)),
               Contains("pipeline film, token 17, stage 1 (blur): no light"));
    CHECK_THAT(says(sk::parallel(fails, 2), sk::serial(passes)), Contains("film, token 17, stage 1: no light"));
    CHECK_THAT(says(sk::parallel(passes), sk::in_order("write", fails)),
               Contains("film, token 17, stage 2 (write): no light"));
    int next = 0;
    const auto source = [&] { return next == 3 ? throw std::runtime_error("end of tape") : std::optional(next++); };
    CHECK_THAT(message_of([&] { sk::pipeline(sk::source("read", source), sk::in_order(passes))(); }),
               Contains("pipeline, token 3, stage 0 (read): end of tape"));
}

TEST_CASE("values in front of the one that failed end, those behind it are dropped", "[pipeline][errors]")
{
    const int bad = GENERATE(0, 5, 500);
    const skelrt::runtime rt;
    std::vector<int> ended;
    auto p = sk::pipeline(numbers(1'000'000), sk::parallel([bad](int i) {
                              take_time(i);
                              return i == bad ? throw std::runtime_error("bad") : i;
                          }),
                          sk::in_order([&](int i) { ended.push_back(i); }));
    try {
        p();
        FAIL("nothing was thrown");
    } catch (const sk::item_error& e) {
        CHECK(e.count() == 1);
        CHECK_THROWS_WITH(std::rethrow_if_nested(e), "bad");
    }
    CHECK(ended == up_to(bad));
}

TEST_CASE("a pipeline that is cancelled ends soon, and tells its stages", "[pipeline][errors][concurrent]")
{
    const skelrt::runtime rt;
    std::atomic<int> begun{0};
    auto p = sk::pipeline(sk::source([] { return std::optional(1); }), sk::parallel([](int i) { return i; }),
                          sk::serial([&](int i, std::stop_token stop) {
                              if (++begun > 100)
                                  while (!stop.stop_requested()) std::this_thread::yield();
                              return i;
                          }),
                          sk::in_order([](int) {}))
                 .named("endless");
    const auto running = p.start();
    while (begun <= 100) std::this_thread::yield();
    running.cancel();
    running.wait();
    CHECK_THROWS_AS(running.get(), sk::cancelled);
    CHECK_THAT(message_of([&] { running.get(); }), Contains("pipeline endless: cancelled after "));
}

TEST_CASE("a pipeline is cancelled by a stage, and with the item around it", "[pipeline][errors][concurrent]")
{
    const skelrt::runtime rt;
    std::atomic<bool> begun{false};
    const auto endless = [&] {
        sk::pipeline(sk::source([] { return std::optional(1); }), sk::in_order([&](int) { begun = true; }))();
    };
    const auto outer = sk::farm(endless).start();
    while (!begun) std::this_thread::yield();
    outer.cancel();
    outer.wait(); // or the test hangs

    sk::future<std::size_t> self;
    std::atomic<bool> is_set{false};
    self = sk::pipeline(sk::source([] { return std::optional(1); }), sk::parallel([&](int i) {
                            if (is_set) self.cancel();
                            return i;
                        }),
                        sk::in_order([](int) {}))
               .start();
    is_set = true;
    CHECK_THROWS_AS(self.get(), sk::cancelled);
}

TEST_CASE("a runtime's end ends pipelines", "[pipeline][concurrent]")
{
    std::atomic<bool> begun{false};
    sk::future<std::size_t> running;
    {
        const skelrt::runtime rt;
        running =
            sk::pipeline(sk::source([] { return std::optional(1); }), sk::serial([&](int) { begun = true; })).start();
        while (!begun) std::this_thread::yield();
    }
    CHECK(running.done());
    CHECK_THROWS_AS(running.get(), sk::cancelled);
}

TEST_CASE("a pipeline is refused without a runtime, and can be run later", "[pipeline][errors]")
{
    auto p = sk::pipeline(numbers(3), sk::serial([](int) {}));
    CHECK_THAT(message_of([&] { p(); }), Contains("no sk::runtime lives"));
    const skelrt::runtime rt;
    CHECK(p() == 3);
}
