// SPDX-License-Identifier: BSD-3-Clause
#include "tests/stderr_of.hpp"

#include <skelrt/farm.hpp>
#include <skelrt/skelrt.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <list>
#include <memory>
#include <numeric>
#include <ranges>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

/// Farms of one worker over many inputs.

namespace sk = skelrt;
using Catch::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

namespace
{

const auto square = sk::farm([](std::int64_t i) { return i * i; });

struct no_default {
    explicit no_default(int n) : value(n) {}
    no_default(no_default&&) = default;
    no_default& operator=(no_default&&) = delete;
    int value;
};

} // namespace

TEST_CASE("a worker may be a generic function", "[farm]")
{
    const skelrt::runtime rt;
    const auto doubled = sk::farm([](auto v) { return 2 * v; })(std::vector{1, 2, 3});
    CHECK(doubled == std::vector{2, 4, 6});
}

TEST_CASE("results come in the order of the inputs", "[farm]")
{
    const skelrt::runtime rt;
    const std::int64_t n = GENERATE(0, 1, 2, 17, 100'000);
    const std::vector<std::int64_t> results = square(std::views::iota(std::int64_t{0}, n));
    REQUIRE(results.size() == static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) REQUIRE(results[static_cast<std::size_t>(i)] == i * i);
}

TEST_CASE("inputs of all kinds of ranges", "[farm]")
{
    const skelrt::runtime rt;
    const std::vector<std::int64_t> expected{1, 4, 9};
    CHECK(square(std::vector<std::int64_t>{1, 2, 3}) == expected);
    CHECK(square(std::list<std::int64_t>{1, 2, 3}) == expected);
    CHECK(square(std::set<std::int64_t>{3, 2, 1}) == expected);
    std::istringstream text("1 2 3");
    CHECK(square(std::ranges::istream_view<std::int64_t>(text)) == expected);
    CHECK(square(std::views::iota(1) | std::views::take_while([](int i) { return i < 4; })) == expected);
    std::vector<std::unique_ptr<int>> owners;
    for (int i = 0; i < 3; ++i) owners.push_back(std::make_unique<int>(i));
    CHECK(sk::farm([](const std::unique_ptr<int>& p) { return *p; })(owners) == std::vector<int>{0, 1, 2});
}

TEST_CASE("results of all kinds of types", "[farm]")
{
    const skelrt::runtime rt;
    const auto inputs = std::views::iota(0, 1000);
    const std::vector<bool> odd = sk::farm([](int i) { return i % 2 != 0; })(inputs);
    for (int i = 0; i < 1000; ++i) REQUIRE(odd[static_cast<std::size_t>(i)] == (i % 2 != 0));
    const auto made = sk::farm([](int i) { return no_default(i); })(inputs);
    for (int i = 0; i < 1000; ++i) REQUIRE(made[static_cast<std::size_t>(i)].value == i);
    std::atomic<int> sum{0};
    sk::farm([&](int i) { sum += i; })(inputs);
    CHECK(sum == 499'500);
}

TEST_CASE("inputs may be written", "[farm]")
{
    const skelrt::runtime rt;
    std::vector<int> values(1000);
    std::iota(values.begin(), values.end(), 0);
    sk::farm([](int& v) { v *= 2; })(values);
    for (int i = 0; i < 1000; ++i) REQUIRE(values[static_cast<std::size_t>(i)] == 2 * i);
}

TEST_CASE("each() gives results in order, and few are alive", "[farm]")
{
    const skelrt::runtime rt;
    constexpr std::size_t window = 8;
    std::atomic<std::size_t> begun{0};
    auto f = sk::farm([&](int i) {
                 ++begun;
                 return i;
             }).window(window);
    std::size_t next = 0;
    const auto in_order = [&](std::size_t k, int i) {
        REQUIRE(k == next);
        REQUIRE(i == static_cast<int>(k));
        REQUIRE(begun <= next + window);
        ++next;
    };
    f.each(std::views::iota(0, 5000), in_order);
    CHECK(next == 5000);
    next = begun = 0;
    f.each(std::views::iota(0) | std::views::take_while([](int i) { return i < 5000; }), in_order); // pulled
    CHECK(next == 5000);
}

TEST_CASE("each() over inputs without an end, until the consumer has enough", "[farm]")
{
    const skelrt::runtime rt;
    std::size_t seen = 0;
    sk::farm([](int i) { return 2 * i; }).each(std::views::iota(0), [&](std::size_t k, int i) {
        REQUIRE(i == static_cast<int>(2 * k));
        return ++seen < 100;
    });
    CHECK(seen == 100);
}

TEST_CASE("each() in any order gives each result once", "[farm]")
{
    const skelrt::runtime rt;
    std::vector<int> times(10'000);
    sk::farm([](int i) { return i; }).in_any_order().each(std::views::iota(0, 10'000), [&](std::size_t k, int i) {
        REQUIRE(k == static_cast<std::size_t>(i));
        ++times[k];
    });
    CHECK(std::ranges::all_of(times, [](int n) { return n == 1; }));
    std::size_t seen = 0;
    sk::farm([](int) {}).each(std::views::iota(0, 1000), [&](std::size_t k) { CHECK(k == seen++); });
    CHECK(seen == 1000);
}

TEST_CASE("a slow item does not change the order, and few inputs are pulled meanwhile", "[farm]")
{
    const skelrt::runtime rt;
    std::atomic<int> pulled{0};
    const auto inputs = std::views::iota(0, 200) | std::views::transform([&](int i) { return ++pulled, i; }) |
                        std::views::take_while([](int) { return true; });
    std::vector<int> all;
    sk::farm([](int i) {
        if (i == 3) std::this_thread::sleep_for(std::chrono::milliseconds(20));
        return i;
    })
        .window(16)
        .each(inputs, [&](std::size_t, int i) {
            all.push_back(i);
            REQUIRE(pulled <= 2 * (i + 17)); // a predicate looks at each input, too
        });
    CHECK(std::ranges::is_sorted(all));
    CHECK(all.size() == 200);
}

TEST_CASE("progress is told, and ends with all", "[farm]")
{
    const skelrt::runtime rt;
    std::size_t last = 0, times = 0;
    auto f = sk::farm([](int i) { return i; }).progress([&](std::size_t done, std::size_t all) {
        REQUIRE(done <= all);
        REQUIRE(all == 5000);
        last = done;
        ++times;
    });
    f(std::views::iota(0, 5000));
    CHECK(last == 5000);
    CHECK(times >= 1);
    f.progress([](std::size_t, std::size_t) { throw std::runtime_error("no paper"); });
    CHECK_THROWS_WITH(f(std::views::iota(0, 100)), "no paper");
}

TEST_CASE("a bar on stderr tells of progress", "[farm]")
{
    const auto written = [](std::size_t done, std::size_t all) {
        return stderr_of([&] { sk::progress_bar("frames")(done, all); });
    };
    CHECK(written(0, 4) == "\rframes [" + std::string(40, '.') + "] 0/4");
    CHECK(written(3, 4) == "\rframes [" + std::string(30, '#') + std::string(10, '.') + "] 3/4");
    CHECK(written(4, 4) == "\rframes [" + std::string(40, '#') + "] 4/4\n");
    CHECK(written(1, 3) == "\rframes [" + std::string(13, '#') + std::string(27, '.') + "] 1/3");
    CHECK(written(7, 0) == "\rframes 7"); // of nobody knows how many
}

TEST_CASE("a farm's bar ends its line, whatever its items did", "[farm]")
{
    const skelrt::runtime rt;
    const auto watched = [](auto f) { return f.progress(sk::progress_bar("frames")); };
    const auto half = [](int i) { return i == 3 ? throw std::runtime_error("torn") : i; };
    const auto written = [&](auto f, int n) {
        return stderr_of([&] {
            try {
                f(std::views::iota(0, n));
            } catch (const sk::item_error&) {
            }
        });
    };
    const std::string full = "[" + std::string(40, '#') + "] ";
    const auto same = [](int i) { return i; };
    CHECK_THAT(written(watched(sk::farm(same)), 500), Contains("\rframes [") && EndsWith(full + "500/500\n"));
    CHECK_THAT(written(watched(sk::farm(half)), 5), EndsWith(full + "5/5\n")); // all are done
    CHECK(written(watched(sk::farm(same)), 0) == "\rframes 0\n");
    const std::string counted = stderr_of([&] {
        watched(sk::farm(same))
            .each(std::views::iota(0, 200) | std::views::filter([](int i) { return i % 2 == 0; }),
                  [](std::size_t, int) {});
    });
    CHECK_THAT(counted, StartsWith("\rframes ") && EndsWith(full + "100/100\n"));
    CHECK_THAT(counted, !Contains("/0"));
}

TEST_CASE("workers call skeletons", "[farm]")
{
    const skelrt::runtime rt;
    const auto add = sk::map(SKELRT_FN((float x, float k) { return x + k; }));
    const auto sum = sk::reduce(sk::plus, 0.0f);
    const std::size_t n = GENERATE(10, 30'000);
    const auto worker = [&](int i) {
        sk::vector<float> x(n, 1.0f);
        for (int k = 0; k < 5; ++k) x = add(x, static_cast<float>(i));
        return float(sum(x));
    };
    const auto results = sk::farm(worker)(std::views::iota(0, 100));
    for (int i = 0; i < 100; ++i)
        REQUIRE(results[static_cast<std::size_t>(i)] == static_cast<float>(n) * static_cast<float>(1 + 5 * i));
}
